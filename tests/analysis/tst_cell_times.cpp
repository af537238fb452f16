// What a table says of one cell: which rows count, and what they come to.
#include "core/analysis/analysis.h"
#include "core/measure/memory_self_test.h"
#include "core/report/report.h"

#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <sstream>
#include <string>

namespace qs::core {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::addFailure;
using tests::addRow;
using tests::runOf;

// Of a table without quoted fields, by the name of the column.
std::map<std::string, std::string> firstLine(const std::string& csv)
{
    std::istringstream lines(csv);
    std::string head;
    std::string line;
    std::getline(lines, head);
    std::getline(lines, line);
    std::istringstream names(head);
    std::istringstream values(line);
    std::map<std::string, std::string> fields;
    for (std::string name, value; std::getline(names, name, ',');) {
        std::getline(values, value, ',');
        fields[name] = value;
    }
    return fields;
}

const Note kPadded{NoteCode::RowsPadded, {17.0, 32.0}};

std::vector<ExecutedStage> executedAs(const std::string& scheme, int matched)
{
    return {{.stage = "encoder",
             .scheme = scheme,
             .matched = matched,
             .layers = 6,
             .activationRule = {},
             .products = {}}};
}

CellSummary summaryOf(const RunData& data, const std::string& id = "a")
{
    const Analysis analysis = analyse(data, "best-bf16");
    const CellSummary* found = analysis.find(id);
    QS_ASSERT(found != nullptr);
    return *found;
}

TEST(CellTimes, AreGeometricMeansOfTheRoundsMedians)
{
    RunData data = runOf({{.id = "a", .batch = 8}}, 5);
    addRow(data, "a", 0, {1.0, 2.0, 9.0});  // median 2
    addRow(data, "a", 1, {4.0, 4.0, 4.0});  // median 4
    addRow(data, "a", 2, {3.0, 3.0, 3.0});  // median 3
    const CellSummary summary = summaryOf(data);
    EXPECT_TRUE(summary.measured);
    EXPECT_EQ(summary.status, CellStatus::Ok);
    EXPECT_EQ(summary.roundsOk, 3);
    EXPECT_EQ(summary.roundsPlanned, 5);
    EXPECT_EQ(summary.samples, 9U);
    EXPECT_NEAR(summary.seconds, std::cbrt(24.0), 1e-14);
    EXPECT_NEAR(summary.throughput, 8.0 / std::cbrt(24.0), 1e-14);
    // Logarithms of 2, 4 and 3: mean 1.059351, standard deviation 0.348237; t(2, 0.975) = 4.302653.
    ASSERT_TRUE(summary.secondsInterval);
    EXPECT_NEAR(summary.secondsInterval->lower, 1.214438, 1e-5);
    EXPECT_NEAR(summary.secondsInterval->upper, 6.851182, 1e-5);
    ASSERT_TRUE(summary.throughputInterval());
    EXPECT_NEAR(summary.throughputInterval()->lower, 8.0 / 6.851182, 1e-5);
    EXPECT_NEAR(summary.throughputInterval()->upper, 8.0 / 1.214438, 1e-5);
    // Coefficients of variation: √19/4, 0 and 0; their median is 0.
    EXPECT_EQ(summary.withinRoundVariation, 0.0);
    EXPECT_EQ(summary.cell, &data.plan.cells[0]);
}

// What is shown is what divides: the ratio of two cells of the same rounds is their speed-up.
TEST(CellTimes, RatiosDivide)
{
    RunData data = runOf(
        {{.id = "a", .reference = "a"}, {.id = "b", .precision = "int8dq", .reference = "a"}});
    for (int round = 0; round < 3; ++round) {
        addRow(data, "a", round, {1.0 + 0.7 * round});
        addRow(data, "b", round, {2.0 - 0.6 * round});
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& b = *analysis.find("b");
    EXPECT_NEAR(*b.speedup, b.throughput / analysis.find("a")->throughput, 1e-14);
}

// Four rounds of nine on a slow card.
TEST(CellTimes, TheIntervalHoldsTheFigureThatIsShown)
{
    RunData data = runOf({{.id = "a"}}, 9);
    for (int round = 0; round < 9; ++round)
        addRow(data, "a", round, {round % 2 == 0 ? 1.0 : 2.0});
    CellSummary summary = summaryOf(data);
    EXPECT_NEAR(summary.seconds, std::exp2(4.0 / 9.0), 1e-14);
    ASSERT_TRUE(summary.secondsInterval);
    EXPECT_NEAR(summary.secondsInterval->lower, 1.027634, 1e-5);
    // Logarithms: mean 4/9 ln 2, standard deviation ln 2 √(5/18), t(8, 0.975) = 2.306004.
    EXPECT_NEAR(summary.secondsInterval->upper, 1.801961, 1e-5);
    for (Measurement& row : data.measurements)
        row.result.hostSeconds = {row.round % 2 == 0 ? 2.0 : 1.0};
    summary = summaryOf(data);
    EXPECT_NEAR(summary.secondsInterval->upper, 2.0 / 1.027634, 1e-5);
    EXPECT_NEAR(summary.secondsInterval->lower, 2.0 / 1.801961, 1e-5);
}

// As three processes on a machine that something else uses: on a linear scale the interval would
// reach to -0.3 s.
TEST(CellTimes, TheIntervalOfScatteredRoundsIsWideAndPositive)
{
    RunData data = runOf({{.id = "a", .batch = 4}}, 3);
    addRow(data, "a", 0, {0.004});
    addRow(data, "a", 1, {0.274});
    addRow(data, "a", 2, {0.25});
    const CellSummary summary = summaryOf(data);
    ASSERT_TRUE(summary.secondsInterval);
    EXPECT_GT(summary.secondsInterval->lower, 0.0);
    EXPECT_LT(summary.secondsInterval->lower, 0.004);
    EXPECT_GT(summary.secondsInterval->upper, 0.274);
    EXPECT_DOUBLE_EQ(summary.throughputInterval()->upper, 4.0 / summary.secondsInterval->lower);
    EXPECT_EQ(summary.variationInterval, std::nullopt) << "one pass a round varies by nothing";
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string markdown = summaryMarkdown(data, analysis);
    EXPECT_THAT(markdown, Not(HasSubstr("16.00"))) << "16 pictures/s, give or take a hundred times";
    EXPECT_THAT(markdown, HasSubstr("\\["));
    EXPECT_THAT(reportHtml(data, analysis), AllOf(Not(HasSubstr("16.00")), Not(HasSubstr("[-"))));
    const Json metrics = reportJson(data, analysis).at("cells").at(0).at("metrics");
    EXPECT_GT(metrics.at("seconds_per_pass_interval_95").at(0).get<double>(), 0.0);
    const auto column = firstLine(cellsCsv(data, analysis));
    for (const char* name : {"throughput_per_second", "seconds_per_pass", "seconds_per_unit"}) {
        EXPECT_GT(std::stod(column.at(name + std::string("_lower_95"))), 0.0) << name;
        EXPECT_GT(std::stod(column.at(name + std::string("_upper_95"))), 0.0) << name;
    }
}

TEST(CellTimes, TwoRoundsGiveNoInterval)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {1.0});
    addRow(data, "a", 1, {1.1});
    const CellSummary summary = summaryOf(data);
    EXPECT_NEAR(summary.seconds, std::sqrt(1.1), 1e-14);
    EXPECT_FALSE(summary.secondsInterval);
    EXPECT_FALSE(summary.withinRoundVariation) << "one sample has no variation";
}

TEST(CellTimes, StagesMemoryAndEvidenceAreCollected)
{
    RunData data = runOf({{.id = "a"}});
    for (int round = 0; round < 2; ++round) {
        CellResult& result = addRow(data, "a", round, {1.0 + round}).result;
        result.deviceSeconds = {0.5 + round};
        result.stages = {{"encoder", {0.1 + round}, 70 + round}, {"decoder", {0.4}, std::nullopt}};
        result.memory.allocatedPeak = 100 - round;
        result.memory.weightsResident = 10 + round;
        result.executed = executedAs("bf16", 6);
        result.attention = "math";
        result.notes = {kPadded};
    }
    const CellSummary summary = summaryOf(data);
    EXPECT_NEAR(summary.seconds, std::sqrt(0.75), 1e-14) << "the device's clock where there is one";
    EXPECT_NEAR(summary.hostSeconds, std::sqrt(2.0), 1e-14);
    EXPECT_THAT(summary.stageNames, ElementsAre("encoder", "decoder"));
    EXPECT_THAT(summary.stageSeconds,
                ElementsAre(DoubleNear(std::sqrt(0.11), 1e-12), DoubleEq(0.4)));
    EXPECT_THAT(summary.stagePeakBytes, ElementsAre(std::optional<std::int64_t>(71), std::nullopt))
        << "the largest over rounds; unknown stays unknown";
    EXPECT_EQ(summary.memory.allocatedPeak, 100);
    EXPECT_EQ(summary.memory.weightsResident, 11);
    EXPECT_EQ(summary.memory.processPeak, std::nullopt);
    EXPECT_EQ(summary.executed, executedAs("bf16", 6));
    EXPECT_EQ(summary.attention, "math");
    EXPECT_THAT(summary.notes, ElementsAre(kPadded));
}

TEST(CellTimes, ADifferenceInWhatRanIsTold)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {1.0}).result.executed = executedAs("int8dq", 5);
    addRow(data, "a", 1, {1.0}).result.executed = executedAs("int8dq", 4);
    EXPECT_THAT(summaryOf(data).notes, Contains(Note{NoteCode::RanDifferently}));
}

TEST(CellTimes, BeforeAnyRowTheCellIsSkipped)
{
    RunData data = runOf({{.id = "a"}, {.id = "b"}});
    data.plan.cells[1].impossible = remark("int8dq needs a GPU");
    const CellSummary waiting = summaryOf(data, "a");
    EXPECT_EQ(waiting.status, CellStatus::Skipped);
    EXPECT_FALSE(waiting.measured);
    EXPECT_FALSE(waiting.failure);
    EXPECT_FALSE(waiting.speedup);
    const CellSummary impossible = summaryOf(data, "b");
    EXPECT_EQ(impossible.status, CellStatus::Skipped);
    EXPECT_FALSE(impossible.failure) << "why it cannot run is a matter of the plan";
    EXPECT_EQ(impossible.roundsPlanned, 0);
}

TEST(CellTimes, TheWorstRoundDecidesTheStatus)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {1.0});
    addFailure(data, "a", 1, FailureKind::Signal);
    addFailure(data, "a", 2, FailureKind::NoProgress);
    const CellSummary summary = summaryOf(data);
    EXPECT_EQ(summary.status, CellStatus::Crashed);
    EXPECT_EQ(summary.failure, Failure{.kind = FailureKind::Signal});
    EXPECT_TRUE(summary.measured);
    EXPECT_EQ(summary.roundsOk, 1);
    EXPECT_DOUBLE_EQ(summary.seconds, 1.0);
}

TEST(CellTimes, CancelledAndSkippedRoundsCountOnlyAlone)
{
    RunData data = runOf({{.id = "a"}, {.id = "b"}});
    addRow(data, "a", 0, {1.0});
    addFailure(data, "a", 1, FailureKind::Stopped);
    addFailure(data, "b", 0, FailureKind::SmallerBatchOutOfMemory);
    EXPECT_EQ(summaryOf(data, "a").status, CellStatus::Ok);
    EXPECT_EQ(summaryOf(data, "b").status, CellStatus::Skipped);
    EXPECT_EQ(summaryOf(data, "b").failure, Failure{.kind = FailureKind::SmallerBatchOutOfMemory});
}

TEST(CellTimes, ARetryThatIsOkReplacesTheFailure)
{
    RunData data = runOf({{.id = "a"}});
    addFailure(data, "a", 0, FailureKind::Signal);
    addRow(data, "a", 0, {2.0}).attempt = 1;
    const CellSummary summary = summaryOf(data);
    EXPECT_EQ(summary.status, CellStatus::Ok);
    EXPECT_EQ(summary.roundsOk, 1);
    EXPECT_DOUBLE_EQ(summary.seconds, 2.0);
}

TEST(CellTimes, ARetryNeverOverwritesAnOkRow)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {2.0});
    addRow(data, "a", 0, {7.0}).attempt = 1;
    addFailure(data, "a", 0, FailureKind::OutOfMemory).attempt = 2;
    const CellSummary summary = summaryOf(data);
    EXPECT_EQ(summary.status, CellStatus::Ok);
    EXPECT_DOUBLE_EQ(summary.seconds, 2.0);
    EXPECT_EQ(summary.samples, 1U);
}

TEST(CellTimes, ARepeatedRowCountsOnce)
{
    RunData data = runOf({{.id = "a"}});
    for (int i = 0; i < 3; ++i)
        addRow(data, "a", 0, {2.0, 2.0});
    const CellSummary summary = summaryOf(data);
    EXPECT_EQ(summary.roundsOk, 1);
    EXPECT_EQ(summary.samples, 2U);
    EXPECT_FALSE(summary.secondsInterval);
}

TEST(CellTimes, FiguresComeFromTheEnvironmentWithMostRounds)
{
    RunData data = runOf({{.id = "a"}, {.id = "b"}, {.id = "c"}});
    addRow(data, "a", 0, {5.0}, "e1");
    addRow(data, "a", 1, {1.0}, "e2");
    addRow(data, "b", 1, {6.0}, "e2");
    addRow(data, "c", 0, {7.0}, "e1");
    addRow(data, "c", 1, {8.0}, "e2");
    const CellSummary both = summaryOf(data, "a");
    EXPECT_EQ(both.roundsOk, 1);
    EXPECT_DOUBLE_EQ(both.seconds, 1.0);
    EXPECT_THAT(both.notes, Contains(Note{NoteCode::OtherEnvironments, {2.0}}));
    EXPECT_DOUBLE_EQ(summaryOf(data, "c").seconds, 8.0);
    data.measurements.pop_back();
    data.measurements.push_back(data.measurements[0]);
    data.measurements.back().cellId = "c";
    data.measurements.back().round = 3;
    EXPECT_DOUBLE_EQ(summaryOf(data, "b").seconds, 6.0) << "all that there is of it";
}

TEST(CellTimes, WorkspaceIsThePeakWithoutTheWeights)
{
    MemoryFigures memory;
    EXPECT_EQ(workspaceBytes(memory), std::nullopt);
    memory.weightsResident = 60;
    EXPECT_EQ(workspaceBytes(memory), std::nullopt) << "no peak, as on a CPU";
    memory.allocatedPeak = 100;
    EXPECT_EQ(workspaceBytes(memory), 40);
    memory.allocatedPeak = 50;
    EXPECT_EQ(workspaceBytes(memory), std::nullopt) << "the weights cannot lie there";
    memory.allocatedPeak = 100;
    memory.weightsResident = 0;
    EXPECT_EQ(workspaceBytes(memory), std::nullopt) << "weights that nobody measured";
}

TEST(CellTimes, TheFilesOfTheWeightsAndTheSelfTestAreKept)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {1.0});
    EXPECT_EQ(summaryOf(data).weightsFileBytes, std::nullopt);
    EXPECT_EQ(summaryOf(data).memory.selfTest, SelfTest());
    data.measurements.back().result.storage = {.weights = 1, .fileBytes = 700};
    const SelfTest passed{.result = SelfTestResult::Passed, .attempts = 1};
    const SelfTest failed{.result = SelfTestResult::Failed, .attempts = 3};
    data.measurements.back().result.memory.selfTest = failed;
    addRow(data, "a", 1, {1.0}).result.memory.selfTest = passed;
    EXPECT_EQ(summaryOf(data).weightsFileBytes, 700);
    EXPECT_EQ(summaryOf(data).memory.selfTest, failed);
    data.measurements.front().result.memory.selfTest = passed;
    EXPECT_EQ(summaryOf(data).memory.selfTest, passed);
    addRow(data, "a", 2, {1.0}).result.memory.selfTest = failed;
    EXPECT_EQ(summaryOf(data).memory.selfTest, failed);
}

TEST(CellTimes, OfASelfTestThatIsNotAsUsualItIsSaid)
{
    const auto notesOf = [](const SelfTest& test) {
        RunData data = runOf({{.id = "a"}});
        for (int round = 0; round < 2; ++round)
            addRow(data, "a", round, {1.0}).result.memory.selfTest = test;
        return summaryOf(data).notes;
    };
    SelfTest test{
        .result = SelfTestResult::Passed, .attempts = 1, .processCounter = ProcessCounter::Driver};
    EXPECT_THAT(notesOf(SelfTest()), testing::IsEmpty());
    EXPECT_THAT(notesOf(test), testing::IsEmpty());
    test.processCounter = ProcessCounter::WholeDevice;
    EXPECT_THAT(notesOf(test), ElementsAre(Note{NoteCode::WholeDeviceMemory}));
    test.attempts = 2;
    EXPECT_THAT(notesOf(test), ElementsAre(Note{NoteCode::SelfTestRepeated, {2.0}},
                                           Note{NoteCode::WholeDeviceMemory}));
    for (const SelfTestResult result : {SelfTestResult::Failed, SelfTestResult::TooLittleMemory}) {
        test.result = result;
        EXPECT_THAT(notesOf(test), ElementsAre(Note{NoteCode::NoMemoryFigures}));
    }
}

TEST(CellTimes, OutputsAreHeldAgainstThoseOfOtherRounds)
{
    RunData data = runOf({{.id = "r", .reference = "r"}, {.id = "a", .reference = "r"}});
    const Note differ{NoteCode::OutputsDiffer};
    addRow(data, "a", 0, {1.0}).result.outputs = {{0, "0.npy", "aa"}, {1, "1.npy", "bb"}};
    tests::addQuality(data, "a", "r", 0, 1.0);
    EXPECT_EQ(summaryOf(data).repeatable, std::nullopt);
    addFailure(data, "a", 1, FailureKind::NonFinite).result.outputs = {{0, "", "nan"}};
    addRow(data, "a", 2, {1.0}, "e2").result.outputs = {{0, "", "of another machine"}};
    addRow(data, "a", 3, {1.0}).result.outputs = {{0, "", "aa"}, {2, "", "new"}, {1, "", ""}};
    EXPECT_EQ(summaryOf(data).repeatable, true);
    EXPECT_EQ(summaryOf(data).noiseResult, NoiseResult::Deterministic);
    EXPECT_THAT(summaryOf(data).notes, testing::Not(Contains(differ)));
    addRow(data, "a", 4, {1.0}).result.outputs = {{1, "", "cc"}, {0, "", "aa"}};
    addRow(data, "a", 5, {1.0}).result.outputs = {{1, "", "bb"}};
    const CellSummary summary = summaryOf(data);
    EXPECT_EQ(summary.repeatable, false) << "once different is different";
    EXPECT_THAT(summary.notes, Contains(differ).Times(1));
    EXPECT_EQ(summary.noiseResult, NoiseResult::Unknown) << "nor is it deterministic";
}

TEST(CellTimes, AWarmUpThatDidNotSettleIsSaid)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {1.0}).result.warmupEnd = WarmupEnd::Steady;
    EXPECT_THAT(summaryOf(data).notes, testing::IsEmpty());
    for (int round = 1; round < 3; ++round)
        addRow(data, "a", round, {1.0}).result.warmupEnd = WarmupEnd::TimeLimit;
    EXPECT_THAT(summaryOf(data).notes, ElementsAre(Note{NoteCode::WarmupNotSteady}));
}

TEST(CellTimes, ManySevereOutliersAreSaid)
{
    const auto notes = [](int outliers) {
        RunData data = runOf({{.id = "a"}});
        std::vector<double> samples;
        for (int i = 0; i < 40; ++i)
            samples.push_back(i < outliers ? 9.0 : 1.0 + 0.001 * (i % 5));
        addRow(data, "a", 0, samples);
        addRow(data, "a", 1, samples);
        return summaryOf(data).notes;
    };
    EXPECT_THAT(notes(2), testing::IsEmpty()) << "5 % and no more";
    EXPECT_THAT(notes(3), ElementsAre(Note{NoteCode::SevereOutliers}));
}

TEST(CellTimes, MemoryThatWasShortIsSaid)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "a", 0, {1.0});
    EXPECT_THAT(summaryOf(data).notes, testing::IsEmpty());
    addRow(data, "a", 1, {1.0}).result.memory.allocationRetries = 2;
    EXPECT_THAT(summaryOf(data).notes, ElementsAre(Note{NoteCode::AllocatorRetried}));
}

TEST(CellTimes, ANoteWithTheFiguresOfEachRoundIsToldOnce)
{
    RunData data = runOf({{.id = "a"}});
    const Note first{NoteCode::ClockStepsOfPass, {12e-6, 0.041}};
    const Note then{NoteCode::ClockStepsOfPass, {11.9e-6, 0.042}};
    const Note one{NoteCode::ForeignProcess, {"a", 1.0, 0.0}};
    const Note other{NoteCode::ForeignProcess, {"b", 2.0, 0.0}};
    addRow(data, "a", 0, {1.0}).result.notes = {first};
    addRow(data, "a", 1, {1.0}).result.notes = {then, one, other};
    EXPECT_THAT(summaryOf(data).notes, ElementsAre(first, one, other));
}

TEST(CellTimes, AllSamplesMayBeDiscarded)
{
    RunData data = runOf({{.id = "a"}});
    Measurement& row = addRow(data, "a", 0, {1.0, 2.0});
    row.result.discards = {{0, Slowdown::Heat}, {1, Slowdown::Heat}};
    EXPECT_EQ(summaryOf(data).samples, 0U);
    row.result.discards = {{1, Slowdown::Heat}};
    EXPECT_DOUBLE_EQ(summaryOf(data).seconds, 1.0);
}

TEST(CellTimes, RowsOfUnknownCellsAreIgnored)
{
    RunData data = runOf({{.id = "a"}});
    addRow(data, "stranger", 0, {1.0});
    EXPECT_EQ(analyse(data, "best-bf16").cells.size(), 1U);
    EXPECT_FALSE(summaryOf(data).measured);
}

}  // namespace
}  // namespace qs::core
