#include "core/analysis/claims.h"

#include "core/report/report.h"
#include "core/report/words/claim_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::addFailure;
using tests::addRow;
using tests::runOf;

// bf16 and int8dq, eager and compiled, at batches 1 and 64; speed-ups over eager bf16: int8dq 2 and
// 0.5, compiled bf16 1.25 at both.
RunData measuredRun(double int8Large = 0.2,
                    const std::vector<double>& compiledSmall = {0.08, 0.08, 0.08})
{
    RunData data =
        runOf({{.id = "r1", .batch = 1, .reference = "r1"},
               {.id = "q1", .precision = "int8dq", .batch = 1, .reference = "r1"},
               {.id = "c1", .compile = "inductor-default", .batch = 1, .reference = "r1"},
               {.id = "r64", .batch = 64, .reference = "r64"},
               {.id = "q64", .precision = "int8dq", .batch = 64, .reference = "r64"},
               {.id = "c64", .compile = "inductor-default", .batch = 64, .reference = "r64"}});
    for (int round = 0; round < 3; ++round) {
        for (const char* batch : {"1", "64"}) {
            const std::string end = batch;
            addRow(data, "r" + end, round, {0.1, 0.1, 0.1});
            const double int8 = end == "1" ? 0.05 : int8Large;
            addRow(data, "q" + end, round, {int8, int8, int8});
            const double compiled =
                end == "1" ? compiledSmall[static_cast<std::size_t>(round)] : 0.08;
            addRow(data, "c" + end, round, {compiled, compiled, compiled});
        }
    }
    return data;
}

Claim claimOf(const std::vector<std::string>& expectations, const std::string& precision = {},
              const std::string& compile = {})
{
    Claim claim{.text = "as fast as said", .source = "a document", .expect = {}};
    for (const std::string& text : expectations) {
        claim.expect.push_back(gateFromText(text).value());
        claim.expect.back().precision = precision;
    }
    claim.compile = compile;
    claim.baseline = "bf16-eager";
    return claim;
}

ClaimOutcome outcomeOf(RunData data, const Claim& claim, const std::string& baseline = "bf16-eager")
{
    data.plan.preset.claims = {claim};
    const Analysis analysis = analyse(data, baseline);
    EXPECT_EQ(analysis.claims.size(), 1U);
    ClaimOutcome outcome = analysis.claims.front();
    return outcome;
}

TEST(Claims, AreHeldAgainstTheCellsThatTheySpeakOf)
{
    const ClaimOutcome outcome = outcomeOf(
        measuredRun(), claimOf({"speedup >= 1.2", "speedup <= 1.5"}, "bf16", "inductor-default"));
    EXPECT_EQ(outcome.result, ClaimResult::Confirmed);
    ASSERT_EQ(outcome.cells.size(), 2U);
    EXPECT_EQ(outcome.cells[0].cellId, "c1");
    EXPECT_EQ(outcome.cells[1].cellId, "c64");
    EXPECT_EQ(outcome.cells[0].gates.size(), 2U);
}

TEST(Claims, BecomeContradictedWhereTheRowsSaySo)
{
    const Claim claim = claimOf({"speedup >= 1.0", "speedup <= 2.5"}, "int8dq");
    const ClaimOutcome partly = outcomeOf(measuredRun(), claim);
    EXPECT_EQ(partly.result, ClaimResult::Partly) << "2 at batch 1, 0.5 at batch 64";
    EXPECT_EQ(partly.cells[0].result, ClaimResult::Confirmed);
    EXPECT_EQ(partly.cells[1].result, ClaimResult::Contradicted);
    EXPECT_EQ(outcomeOf(measuredRun(0.05), claim).result, ClaimResult::Confirmed);
    Claim large = claim;
    for (Gate& gate : large.expect)
        gate.batch = 64;
    EXPECT_EQ(outcomeOf(measuredRun(), large).result, ClaimResult::Contradicted);
    const Claim beyond = claimOf({"speedup >= 1.0", "speedup <= 1.5"}, "int8dq");
    EXPECT_EQ(outcomeOf(measuredRun(0.05), beyond).result, ClaimResult::Contradicted)
        << "faster than said";
}

TEST(Claims, KeepTheirSpeedBaseline)
{
    Claim claim = claimOf({"speedup >= 1.2"}, "bf16", "inductor-default");
    EXPECT_EQ(outcomeOf(measuredRun(), claim, "best-bf16").result, ClaimResult::Confirmed)
        << "whatever the window divides by";
    claim.baseline = "best-bf16";
    EXPECT_EQ(outcomeOf(measuredRun(), claim).result, ClaimResult::NotTestable)
        << "it is the best itself";
    claim.baseline = {};
    RunData data = measuredRun();
    data.plan.preset.speedBaseline = "bf16-eager";
    EXPECT_EQ(outcomeOf(data, claim, "best-bf16").result, ClaimResult::Confirmed)
        << "that of the preset";
}

TEST(Claims, WithoutEnoughRowsAreUndecidedOrNotTestable)
{
    RunData one = measuredRun();
    std::erase_if(one.measurements, [](const Measurement& row) { return row.round > 0; });
    const Claim claim = claimOf({"speedup >= 1.2"}, "bf16", "inductor-default");
    EXPECT_EQ(outcomeOf(one, claim).result, ClaimResult::Undecided);
    EXPECT_EQ(outcomeOf(measuredRun(), claimOf({"speedup >= 1.2"}, "float8dq-row")).result,
              ClaimResult::NotTestable)
        << "no such cell";
    Claim elsewhere = claim;
    elsewhere.expect.front().device = "A100|H100";
    const ClaimOutcome outcome = outcomeOf(measuredRun(), elsewhere);
    EXPECT_EQ(outcome.result, ClaimResult::NotTestable);
    EXPECT_EQ(outcome.cells.front().gates.front().reason, GateReason::NoMatch);
    elsewhere.expect.front().device = "H100|cpu";
    EXPECT_EQ(outcomeOf(measuredRun(), elsewhere).result, ClaimResult::Confirmed) << "one of both";
}

TEST(Claims, AreNotDecidedByValuesInDoubt)
{
    RunData data = measuredRun();
    for (Measurement& row : data.measurements) {
        if (row.cellId == "q1")
            row.result.executed = tests::ranSomethingElse();
    }
    const ClaimOutcome outcome = outcomeOf(data, claimOf({"speedup >= 1.5"}, "int8dq"));
    ASSERT_EQ(outcome.cells.size(), 2U);
    EXPECT_EQ(outcome.cells[0].result, ClaimResult::Undecided);
}

// Compiled bf16 at batch 1 has two programs of one call, of four that this took 40 s for: alone
// they may have taken less.
RunData runOfOthersPrograms(const std::vector<double>& seconds = {0.08, 0.08, 0.08})
{
    RunData data = measuredRun(0.2, seconds);
    for (Measurement& row : data.measurements) {
        if (row.cellId != "c1")
            continue;
        for (const char* stage : {"encoder", "decoder"})
            row.result.compiles.push_back({.stage = stage,
                                           .content = stage,
                                           .coldSeconds = 25.0,
                                           .warmSeconds = 10.0,
                                           .together = CompiledTogether{"all", 4, 40.0, 15.0}});
    }
    return data;
}

TEST(Claims, AnUpperLimitDecidesOnlyWhatIsToBeLess)
{
    const RunData data = runOfOthersPrograms();
    const auto resultOf = [&](const std::string& expectation) {
        const Claim claim = claimOf({expectation}, "bf16", "inductor-default");
        return outcomeOf(data, claim).cells.front().result;
    };
    EXPECT_EQ(resultOf("compile_cold <= 120 s"), ClaimResult::Confirmed);
    EXPECT_EQ(resultOf("compile_cold >= 30 s"), ClaimResult::Undecided) << "40 s or less";
    EXPECT_EQ(resultOf("compile_cold <= 35 s"), ClaimResult::Undecided);
    EXPECT_EQ(resultOf("compile_cold >= 60 s"), ClaimResult::Contradicted);
    EXPECT_EQ(resultOf("compile_warm > 5 s"), ClaimResult::Undecided);
    EXPECT_EQ(resultOf("compile_start <= 1 s"), ClaimResult::Confirmed) << "no compiler in it";
    // 2000 passes at the most, of which each gains 20 ms.
    EXPECT_EQ(resultOf("break_even_cold <= 2400"), ClaimResult::Confirmed);
    EXPECT_EQ(resultOf("break_even_cold >= 600"), ClaimResult::Undecided);
    EXPECT_EQ(resultOf("break_even_cold >= 2400"), ClaimResult::Contradicted);
    EXPECT_EQ(resultOf("speedup >= 1.2"), ClaimResult::Confirmed);

    RunData claimed = data;
    claimed.plan.preset.claims = {
        claimOf({"compile_warm <= 20 s", "break_even_cold <= 2400", "speedup >= 1.2"}, "bf16",
                "inductor-default")};
    const Json json = reportJson(claimed, analyse(claimed, "bf16-eager"));
    const Json gates = json.at("claims")[0].at("cells")[0].at("gates");
    for (const auto& [gate, limited] :
         {std::pair{0U, true}, std::pair{1U, true}, std::pair{2U, false}})
        EXPECT_EQ(gates.at(gate).at("measured_is_upper_limit"), limited) << gate;
}

TEST(Claims, ACompileThatNeverPaysTakesMorePassesThanAnyLimit)
{
    const auto gateOf = [](const std::string& expectation, const std::vector<double>& seconds) {
        const Claim claim = claimOf({expectation}, "bf16", "inductor-default");
        return outcomeOf(runOfOthersPrograms(seconds), claim).cells.front().gates.front();
    };
    const std::vector<double> slower(3, 0.2);
    EXPECT_EQ(gateOf("break_even_cold <= 2400", slower).verdict, GateVerdict::Fail);
    EXPECT_EQ(gateOf("break_even_cold >= 600", slower).verdict, GateVerdict::Pass);
    EXPECT_EQ(gateOf("break_even_cold <= 2400", slower).reason, GateReason::NeverPays);
    // Faster than eager in two repeats of three.
    const std::vector<double> unclear{0.05, 0.2, 0.09};
    EXPECT_EQ(gateOf("break_even_cold <= 2400", unclear).verdict, GateVerdict::Undecided);
    EXPECT_EQ(gateOf("break_even_cold <= 2400", unclear).reason, GateReason::PaysOrNot);
}

// However many digits each end of a range takes to be told from the value.
TEST(Claims, NameTheValueOfARangeOnce)
{
    RunData data = measuredRun();
    data.plan.preset.claims = {claimOf({"latency <= 50.0004 ms", "latency >= 20 ms"}, "int8dq")};
    data.plan.preset.claims[0].expect[0].batch = data.plan.preset.claims[0].expect[1].batch = 1;
    const Analysis analysis = analyse(data, "bf16-eager");
    ASSERT_EQ(analysis.claims[0].cells.size(), 1U);
    const std::string text = claimMeasuredText(analysis.claims[0], analysis);
    EXPECT_THAT(text, HasSubstr("50.0000 ms")) << "told from both ends";
    EXPECT_EQ(std::count(text.begin(), text.end(), ','), 0) << text;
}

TEST(Claims, StandInEveryReport)
{
    RunData data = measuredRun();
    data.plan.preset.claims = {claimOf({"speedup >= 1.0"}, "int8dq"),
                               claimOf({"speedup >= 9"}, "int8dq")};
    data.plan.preset.claims[0].text = "never <b>slower</b>";
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("## Claims"));
    const std::string html = reportHtml(data, analysis);
    EXPECT_THAT(html, HasSubstr("id=\"claims\""));
    EXPECT_THAT(html, HasSubstr("never &lt;b&gt;slower"));
    const Json json = reportJson(data, analysis);
    ASSERT_EQ(json.at("claims").size(), 2U);
    EXPECT_EQ(json.at("claims")[0].at("result"), "partly");
    EXPECT_EQ(json.at("claims")[1].at("result"), "contradicted");
    EXPECT_EQ(json.at("claims")[1].at("cells")[0].at("gates")[0].at("verdict"), "fail");
    data.plan.preset.claims.clear();
    const Analysis without = analyse(data, "bf16-eager");
    EXPECT_THAT(summaryMarkdown(data, without), Not(HasSubstr("## Claims")));
    EXPECT_THAT(reportHtml(data, without), Not(HasSubstr("id=\"claims\"")));
}

}  // namespace
}  // namespace qs::core
