#include "core/analysis/guardrail.h"

#include "core/analysis/metric_values.h"
#include "core/report/guardrail_section.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace qs::core {
namespace {

// Embeddings of an encoder: deviations (1 - cosine) of quantized cells, one second a pass each.
RunData encoderRun(const std::map<std::string, double>& deviations)
{
    RunData data = tests::runOf({{.id = "bf16", .reference = "bf16"},
                                 {.id = "int8dq", .precision = "int8dq", .reference = "bf16"},
                                 {.id = "int8sq", .precision = "int8sq", .reference = "bf16"},
                                 {.id = "int8wo", .precision = "int8wo", .reference = "bf16"},
                                 {.id = "ends", .precision = "int8dq", .reference = "bf16"},
                                 {.id = "larger", .precision = "int8dq", .batch = 8}});
    for (PlannedCell& cell : data.plan.cells) {
        cell.output = OutputKind::Embedding;
        cell.config.layers = cell.id == "ends" ? "olmoearth -first1 -last1" : "olmoearth";
        cell.amounts = {{AmountKind::Token, 9216.0}, {AmountKind::SquareKilometre, 0.4096}};
        cell.unitsPerPass = cell.config.batch;
        for (int round = 0; round < 3; ++round)
            tests::addRow(data, cell.id, round, {cell.id == "larger" ? 4.0 : 1.0});
    }
    for (const auto& [id, deviation] : deviations) {
        OutputQuality quality;
        quality.cellId = id;
        quality.environmentId = "e1";
        quality.referenceId = "bf16";
        quality.set("cosine", 1.0 - deviation);
        data.qualities.push_back(quality);
    }
    return data;
}

const GuardedCell& find(const std::vector<GuardedCell>& cells, const std::string& id)
{
    for (const GuardedCell& cell : cells) {
        if (cell.cellId == id)
            return cell;
    }
    ADD_FAILURE() << id;
    return cells.front();
}

const GuardrailAdvice* adviceFor(const GuardedCell& cell, GuardrailRemedy remedy)
{
    for (const GuardrailAdvice& each : cell.advice) {
        if (each.remedy == remedy)
            return &each;
    }
    return nullptr;
}

TEST(Guardrail, LimitsAreHalfAPercentAndOnePercent)
{
    const RunData data =
        encoderRun({{"int8dq", 0.011}, {"int8sq", 0.009}, {"int8wo", 0.004}, {"ends", 0.005}});
    const auto guarded = guardrailOf(analyse(data, "bf16-eager"));
    EXPECT_EQ(guarded.size(), 4U) << "what is not quantized or was not compared is no part of it";
    EXPECT_EQ(find(guarded, "int8dq").result, GuardrailResult::Beyond);
    EXPECT_EQ(find(guarded, "int8sq").result, GuardrailResult::Borderline);
    EXPECT_EQ(find(guarded, "int8wo").result, GuardrailResult::Within);
    EXPECT_NEAR(find(guarded, "int8dq").deviation, 0.011, 1e-9);
}

TEST(Guardrail, AdviceIsMadeOfWhatTheRunMeasured)
{
    const RunData data = encoderRun({{"int8dq", 0.011}, {"int8sq", 0.002}, {"int8wo", 0.001}});
    const auto guarded = guardrailOf(analyse(data, "bf16-eager"));
    const GuardedCell& beyond = find(guarded, "int8dq");
    const GuardrailAdvice* smooth = adviceFor(beyond, GuardrailRemedy::SmoothQuant);
    ASSERT_NE(smooth, nullptr);
    EXPECT_EQ(smooth->cellId, "int8sq");
    EXPECT_NEAR(*smooth->deviation, 0.002, 1e-9);
    EXPECT_NEAR(*smooth->throughputRatio, 1.0, 1e-9);
    EXPECT_EQ(adviceFor(beyond, GuardrailRemedy::WeightsOnly)->cellId, "int8wo");
    const GuardrailAdvice* ends = adviceFor(beyond, GuardrailRemedy::WithoutEnds);
    ASSERT_NE(ends, nullptr);
    EXPECT_TRUE(ends->cellId.empty()) << "measured, but not compared";
    const GuardrailAdvice* larger = adviceFor(beyond, GuardrailRemedy::LargerBatch);
    ASSERT_NE(larger, nullptr);
    EXPECT_EQ(larger->cellId, "larger");
    EXPECT_NEAR(*larger->throughputRatio, 2.0, 1e-9);
    EXPECT_EQ(adviceFor(beyond, GuardrailRemedy::CheaperCompile), nullptr);
    // Between half a percent and one, the document ships it as it is.
    const auto borderline =
        guardrailOf(analyse(encoderRun({{"int8dq", 0.009}, {"int8sq", 0.002}}), "bf16-eager"));
    EXPECT_EQ(adviceFor(find(borderline, "int8dq"), GuardrailRemedy::SmoothQuant), nullptr);
    EXPECT_NE(adviceFor(find(borderline, "int8dq"), GuardrailRemedy::LargerBatch), nullptr);
    const GuardedCell& within = find(guarded, "int8sq");
    EXPECT_EQ(adviceFor(within, GuardrailRemedy::WeightsOnly), nullptr) << "it needs no help";
}

TEST(Guardrail, ThroughputThatRepeatsDoNotShowIsNoAdvice)
{
    RunData noisy = encoderRun({{"int8dq", 0.001}});
    const auto larger = [&] {
        const auto guarded = guardrailOf(analyse(noisy, "bf16-eager"));
        return adviceFor(find(guarded, "int8dq"), GuardrailRemedy::LargerBatch) != nullptr;
    };
    EXPECT_TRUE(larger());
    for (Measurement& row : noisy.measurements) {
        if (row.cellId == "larger")
            row.result.hostSeconds = {row.round == 0 ? 1.0 : row.round == 1 ? 4.0 : 9.0};
    }
    EXPECT_FALSE(larger()) << "their median is as fast as before";
    noisy = encoderRun({{"int8dq", 0.001}});
    std::erase_if(noisy.measurements, [](const Measurement& row) { return row.round > 0; });
    EXPECT_FALSE(larger()) << "one repeat shows nothing";
}

TEST(Guardrail, AModeThatCompilesInLessTimeIsAdvised)
{
    RunData data = encoderRun({{"tuned", 0.001}});
    const auto addCompiled = [&](const char* id, const char* compile, double cold, double seconds) {
        data.plan.cells.push_back(tests::cellOf(
            {.id = id, .precision = "int8dq", .compile = compile, .reference = "bf16"}));
        data.plan.cells.back().output = OutputKind::Embedding;
        data.plan.cells.back().config.layers = "olmoearth";
        for (int round = 0; round < 3; ++round)
            tests::addRow(data, id, round, {seconds}).result.compiles = {
                {.stage = "encoder", .coldSeconds = cold, .warmSeconds = 1.0}};
    };
    addCompiled("tuned", "inductor-max-autotune", 600.0, 0.5);
    addCompiled("default", "inductor-default", 30.0, 0.505);
    const auto guarded = guardrailOf(analyse(data, "bf16-eager"));
    const GuardrailAdvice* cheaper =
        adviceFor(find(guarded, "tuned"), GuardrailRemedy::CheaperCompile);
    ASSERT_NE(cheaper, nullptr);
    EXPECT_EQ(cheaper->cellId, "default");
    EXPECT_NEAR(*cheaper->throughputRatio, 0.5 / 0.505, 1e-9);
    // One that is much slower is no help.
    for (Measurement& row : data.measurements) {
        if (row.cellId == "default")
            row.result.hostSeconds = {0.8};
    }
    const auto slower = guardrailOf(analyse(data, "bf16-eager"));
    EXPECT_EQ(adviceFor(find(slower, "tuned"), GuardrailRemedy::CheaperCompile), nullptr);
}

TEST(Guardrail, ReportsNeverCallItAnAccuracy)
{
    const RunData data = encoderRun({{"int8dq", 0.011}, {"int8sq", 0.002}});
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(guardrailSection(analysis).table.lines.size(), 2U);
    const Json json = guardrailJson(analysis);
    ASSERT_EQ(json.size(), 2U);
    EXPECT_EQ(json[0]["result"], "beyond");
    EXPECT_EQ(jsonText(json).find("accuracy"), std::string::npos);
    EXPECT_TRUE(guardrailSection(analyse(encoderRun({}), "bf16-eager")).table.lines.empty());
}

TEST(AmountsOfSamples, GiveRatesAndTheTimeForTheLandOfTheWorld)
{
    RunData data = encoderRun({});
    data.plan.cells[1].flops = 4.7e12;
    data.plan.cells[1].quantizedFlops = 1.57e12;
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& larger = *analysis.find("larger");
    EXPECT_NEAR(*valueOf("token_rate", larger), 8 * 9216.0 / 4.0, 1e-6);
    EXPECT_NEAR(*valueOf("area_rate", larger), 8 * 0.4096 / 4.0, 1e-12);
    EXPECT_NEAR(*valueOf("land_time", larger), 149e6 / (8 * 0.4096 / 4.0), 1e-3);
    EXPECT_NEAR(*valueOf("attainable", *analysis.find("int8dq")), 4.7 / 3.13, 1e-9);
    EXPECT_FALSE(valueOf("attainable", larger)) << "its FLOPs are not known";
    data.plan.cells[5].amounts.clear();
    const Analysis without = analyse(data, "bf16-eager");
    EXPECT_FALSE(valueOf("token_rate", *without.find("larger")));
}

}  // namespace
}  // namespace qs::core
