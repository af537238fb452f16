#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/fail_on.h"
#include "core/record/run_folder.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace qs::app;
using namespace qs::core;
using testing::HasSubstr;

std::vector<Gate> gates(const std::vector<std::string>& texts)
{
    return wantedGates(failOnFrom(texts).value(), {}).value();
}

TEST(FailOn, TakesGatesOfThePresetAndItsOwn)
{
    const FailOn failOn = failOnFrom({"gates", "ssim_mean >= 0.99"}).value();
    EXPECT_TRUE(failOn.wanted());
    Preset preset;
    const auto none = wantedGates(failOn, preset);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(exitCodeOf(none.error()), kExitUsage);
    preset.gates = {gateFromText("cv <= 5 %").value()};
    EXPECT_EQ(wantedGates(failOn, preset).value().size(), 2U);
    // Gates that nobody asked for do not stop anything.
    EXPECT_TRUE(wantedGates({}, preset).value().empty());
    EXPECT_FALSE(FailOn().wanted());
}

TEST(FailOn, SaysWhatIsWrong)
{
    const auto wrong = failOnFrom({"ssim >= 0.99"});
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(exitCodeOf(wrong.error()), kExitUsage);
    EXPECT_THAT(wrong.error().message, HasSubstr("--fail-on \"ssim >= 0.99\": unknown metric"));
    EXPECT_THAT(failOnFrom({"everything"}).error().message, HasSubstr("or \"gates\""));
}

TEST(FailOn, FailsWhenACellDoes)
{
    const RunData data = qs::tests::sampleRun();
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_FALSE(anyGateFails(data, analysis, gates({"latency < 1000 s"})));
    EXPECT_TRUE(anyGateFails(data, analysis, gates({"latency < 1000 s", "latency < 1 us"})));
    EXPECT_FALSE(anyGateFails(data, analysis, {}));
}

// One repeat has no interval: nothing about its times can be shown.
TEST(FailOn, SaysWhatIsUndecidedAndWhatThatMeans)
{
    const RunData data = qs::tests::sampleRun({.rounds = 1});
    const Analysis analysis = analyse(data, "best-bf16");
    const auto fails = [&](const char* gate, const char* undecided) {
        testing::internal::CaptureStdout();
        const FailOn failOn = failOnFrom({gate}, undecided).value();
        const bool any = anyGateFails(data, analysis, failOn.own, failOn);
        return std::pair(any, testing::internal::GetCapturedStdout());
    };
    const auto [any, text] = fails("latency < 1000 s for precision=int8dq; batch=1", "fail");
    EXPECT_TRUE(any);
    EXPECT_THAT(text, HasSubstr("gate is undecided: int8dq · eager · batch 1"));
    EXPECT_THAT(text,
                HasSubstr("2 gates undecided: add repeats to decide; undecided counts as failed"));
    EXPECT_FALSE(fails("latency < 1000 s", "pass").first);
    EXPECT_TRUE(fails("latency < 1 us", "fail").first);
    EXPECT_FALSE(fails("allocated_peak < 1000 GiB", "fail").first) << "the same in every repeat";
    EXPECT_EQ(exitCodeOf(failOnFrom({}, "maybe").error()), kExitUsage);
}

TEST(FailOn, WarnsOfWhatNoCellCouldTell)
{
    const RunData untrained = qs::tests::sampleRun({.trained = false});
    testing::internal::CaptureStderr();
    const Analysis analysis = analyse(untrained, "best-bf16");
    EXPECT_FALSE(
        anyGateFails(untrained, analysis, gates({"ssim_mean >= 1", "cv < 1 for batch=77"})));
    const std::string errors = testing::internal::GetCapturedStderr();
    EXPECT_THAT(
        errors,
        HasSubstr("\"ssim_mean >= 1\" was not tested on any cell: no quality with random weights"));
    EXPECT_THAT(errors, HasSubstr("it applies to no cell of this run"));
}

TEST(FailOn, DecidesTheExitCodeOfAReport)
{
    const qs::tests::TestFolder folder;
    const std::string run = folder / "run";
    const RunData data = qs::tests::sampleRun();
    auto stored = RunFolder::create(run, data.plan, data.environments.front());
    ASSERT_TRUE(stored.ok()) << stored.error().message;
    for (const Measurement& row : data.measurements)
        ASSERT_TRUE(stored.value().addMeasurement(row).ok());
    const auto report = [&](const std::vector<std::string>& failOn) {
        ReportCommand command;
        command.run = run;
        command.out = folder / "report";
        command.failOn = failOn;
        return reportCommand(command);
    };
    EXPECT_EQ(report({}), kExitOk);
    EXPECT_EQ(report({"latency < 1000 s"}), kExitOk);
    EXPECT_EQ(report({"latency < 1 us"}), kExitCellFailed);
    EXPECT_EQ(report({"gates"}), kExitUsage) << "its preset has none";
    EXPECT_EQ(report({"latency < 1"}), kExitUsage);
}

}  // namespace
