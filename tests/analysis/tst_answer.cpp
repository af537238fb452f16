// Small runs by hand, one question each.
#include "core/analysis/find_answer.h"

#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using tests::addFailure;
using tests::addQuality;
using tests::addRow;
using tests::runOf;

// bf16 and int8dq at batches 1 and 4, trained, with an fp32 run for the noise floor of batch 4.
// int8dq takes 0.9 of the time of bf16.
RunData twoFamilies()
{
    RunData data =
        runOf({{.id = "bf16-1", .batch = 1, .reference = "bf16-1"},
               {.id = "int8-1", .precision = "int8dq", .batch = 1, .reference = "bf16-1"},
               {.id = "bf16-4", .batch = 4, .reference = "bf16-4"},
               {.id = "int8-4", .precision = "int8dq", .batch = 4, .reference = "bf16-4"},
               {.id = "fp32-4", .precision = "fp32", .batch = 4, .reference = "bf16-4"}});
    data.plan.cells[4].role = CellRole::NoiseFloor;
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    for (int round = 0; round < 3; ++round) {
        const double drift = 1.0 + 0.001 * round;
        addRow(data, "bf16-1", round, {1.0 * drift});
        addRow(data, "int8-1", round, {0.9 * drift * (round == 1 ? 1.002 : 1.0)});
        addRow(data, "bf16-4", round, {2.0 * drift});
        addRow(data, "int8-4", round, {1.8 * drift * (round == 1 ? 1.002 : 1.0)});
        addRow(data, "fp32-4", round, {4.0 * drift});
    }
    return data;
}

RunAnswer ask(const RunData& data, const AnswerQuestion& question = {},
              const std::string& baseline = "best-bf16")
{
    return findAnswer(analyse(data, baseline), question);
}

std::string bestOf(const RunAnswer& answer)
{
    return answer.best() == nullptr ? std::string() : answer.best()->cellId;
}

Candidacy candidacyOf(const RunAnswer& answer, const std::string& cellId)
{
    const auto found =
        std::find_if(answer.candidates.begin(), answer.candidates.end(),
                     [&](const AnswerCandidate& each) { return each.cellId == cellId; });
    EXPECT_NE(found, answer.candidates.end()) << cellId;
    return found == answer.candidates.end() ? Candidacy::Eligible : found->candidacy;
}

const AnswerQuestion kWithinNoise{.limit = QualityLimit::WithinNoise};
const AnswerQuestion kMinimumLikeness{.limit = QualityLimit::MinimumLikeness,
                                      .minimumLikeness = 0.99};

TEST(Answer, HasTheMostPicturesPerSecond)
{
    const RunAnswer answer = ask(twoFamilies());
    EXPECT_EQ(bestOf(answer), "int8-4");
    ASSERT_EQ(answer.candidates.size(), 4U) << "the noise floor's own run is none";
    EXPECT_EQ(answer.eligible, 4U);
    EXPECT_EQ(answer.candidates[1].cellId, "bf16-4");
    EXPECT_NEAR(answer.candidates[1].besideBest->value, 0.9, 1e-3);
    EXPECT_NEAR(answer.candidates[2].besideBest->value, 0.5, 1e-3) << "per picture, not per pass";
    EXPECT_FALSE(answer.candidates[1].tied);
    EXPECT_TRUE(answer.best()->interval);
    EXPECT_FALSE(answer.isBaseline);
    EXPECT_TRUE(answer.progress.complete);
    EXPECT_EQ(answer.progress.measured, 5);
    EXPECT_TRUE(answer.trained);
}

TEST(Answer, LatencyIsOfOnePicture)
{
    const RunAnswer answer = ask(twoFamilies(), {.objective = AnswerObjective::Latency});
    EXPECT_EQ(bestOf(answer), "int8-1");
    EXPECT_NEAR(*answer.best()->value, 0.9, 1e-2);
    EXPECT_EQ(candidacyOf(answer, "int8-4"), Candidacy::OtherBatch);
    EXPECT_EQ(answer.eligible, 2U);
}

TEST(Answer, IsAboutSamplesOfOneKind)
{
    RunData data = twoFamilies();
    // Twice the cells at 128 px, which are always faster than those at 256 px.
    const std::size_t large = data.plan.cells.size();
    for (std::size_t i = 0; i < large; ++i) {
        PlannedCell small = data.plan.cells[i];
        small.id += "-small";
        small.referenceId += "-small";
        small.config.sizes.set(std::string(kImageSize), 128);
        data.plan.cells.push_back(small);
        for (int round = 0; round < 3; ++round)
            addRow(data, small.id, round, {0.1 * static_cast<double>(small.config.batch)});
    }
    const RunAnswer first = ask(data);
    EXPECT_THAT(first.samples, testing::ElementsAre("256 px", "128 px"));
    EXPECT_EQ(first.sample, "256 px") << "as many cells of both";
    EXPECT_EQ(bestOf(first), "int8-4");
    EXPECT_EQ(candidacyOf(first, "int8-4-small"), Candidacy::OtherSample);
    EXPECT_EQ(first.eligible, 4U);
    EXPECT_EQ(ask(data, {.sample = "128 px"}).sample, "128 px");
    EXPECT_EQ(candidacyOf(ask(data, {.sample = "128 px"}), "int8-4"), Candidacy::OtherSample);
    EXPECT_EQ(ask(data, {.sample = "64 px"}).sample, "256 px") << "of no cell";
    data.plan.cells.push_back(data.plan.cells.back());
    data.plan.cells.back().id = "int4-8-small";
    data.plan.cells.back().role = CellRole::Swept;
    EXPECT_EQ(ask(data).sample, "128 px") << "most cells, measured or not";
    for (std::size_t i = 0; i < large; ++i)
        data.plan.cells[i].role = CellRole::QualityReference;
    EXPECT_THAT(ask(data).samples, testing::ElementsAre("128 px")) << "the others are references";
}

TEST(Answer, MemoryIsTheSmallestPeakThatAllHave)
{
    RunData data = twoFamilies();
    const AnswerQuestion question{.objective = AnswerObjective::Memory};
    EXPECT_EQ(candidacyOf(ask(data, question), "int8-4"), Candidacy::NoFigure);
    std::int64_t bytes = 1000;
    for (Measurement& row : data.measurements) {
        row.result.memory.processPeak = bytes;
        row.result.memory.allocatedPeak = row.cellId == "bf16-1" ? 10 : 5000 - bytes;
        bytes += row.cellId == "fp32-4" ? -400 : 100;
    }
    EXPECT_EQ(bestOf(ask(data, question)), "bf16-1") << "allocated";
    data.measurements.back().result.memory.allocatedPeak.reset();
    for (Measurement& row : data.measurements) {
        if (row.cellId == "fp32-4")
            row.result.memory.allocatedPeak.reset();
        if (row.cellId == "int8-1" || row.cellId == "bf16-4")
            row.result.memory.processPeak = 7;
    }
    const RunAnswer answer = ask(data, question);
    EXPECT_EQ(*answer.best()->value, 7.0) << "one cell lacks the other figure: process";
    EXPECT_TRUE(answer.candidates[1].tied) << "equal to the byte";
    EXPECT_FALSE(answer.candidates[2].tied);
}

TEST(Answer, ProcessesThatHoldNearlyTheSameAreTied)
{
    RunData data = twoFamilies();
    std::int64_t bytes = 1000;
    for (PlannedCell& cell : data.plan.cells) {
        for (Measurement& row : data.measurements) {
            if (row.cellId == cell.id)
                row.result.memory.processPeak = bytes;
        }
        bytes += 40;
    }
    const RunAnswer answer = ask(data, {.objective = AnswerObjective::Memory});
    ASSERT_GE(answer.eligible, 3U);
    EXPECT_TRUE(answer.candidates[1].tied) << "4 % more";
    EXPECT_FALSE(answer.candidates[2].tied) << "8 % more";
}

TEST(Answer, MemoryOfAComputerIsNotThatOfAGpu)
{
    RunData data = twoFamilies();
    const AnswerQuestion question{.objective = AnswerObjective::Memory};
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = cell.id == "int8-1" ? "cpu" : "cuda:0";
    for (Measurement& row : data.measurements) {
        const bool onCpu = row.cellId == "int8-1";
        row.result.memory.processPeak = onCpu ? 10 : 1000;
        if (!onCpu)
            row.result.memory.allocatedPeak = row.cellId == "int8-4" ? 500 : 700;
    }
    EXPECT_EQ(bestOf(ask(data, question)), "int8-4") << "of the allocator";
    EXPECT_EQ(candidacyOf(ask(data, question), "int8-1"), Candidacy::OtherMemory);
    EXPECT_EQ(candidacyOf(ask(data), "int8-1"), Candidacy::Eligible) << "time is time";
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = "cpu";
    EXPECT_EQ(bestOf(ask(data, question)), "int8-1") << "all of a computer";
}

// By a counter that rises steadily from 0 to 20 s, over ten passes from 1 s to 11 s.
void addEnergy(Measurement& row, double watts)
{
    for (double second = 0.0; second <= 20.0; second += 1.0)
        row.result.trace.points.push_back({.at = second, .energyJoules = watts * second});
    row.result.energy = PassStretch{.passes = 10, .start = 1.0, .seconds = 10.0};
}

// A pass takes as many joules as the watts say: with a batch of four a quarter of it per image.
TEST(Answer, EnergyIsTheLeastPerImage)
{
    const AnswerQuestion question{.objective = AnswerObjective::Energy};
    RunData data = twoFamilies();
    const RunAnswer without = ask(data, question);
    EXPECT_FALSE(without.energyKnown);
    EXPECT_EQ(without.best(), nullptr);
    EXPECT_EQ(candidacyOf(without, "int8-4"), Candidacy::NoFigure);
    for (Measurement& row : data.measurements) {
        const double watts = row.cellId == "bf16-4"   ? 240.0
                             : row.cellId == "int8-4" ? 320.0
                                                      : 100.0;
        if (row.cellId != "int8-1")
            addEnergy(row, watts * (1.0 + 0.001 * row.round));
    }
    const RunAnswer answer = ask(data, question);
    EXPECT_TRUE(answer.energyKnown);
    ASSERT_EQ(bestOf(answer), "bf16-4") << "the slower of the two";
    EXPECT_NEAR(*answer.best()->value, 60.06, 1e-6) << "the median of the rounds";
    ASSERT_TRUE(answer.best()->interval);
    EXPECT_LT(answer.best()->interval->lower, 60.06);
    EXPECT_GT(answer.best()->interval->upper, 60.06);
    ASSERT_EQ(answer.eligible, 3U);
    EXPECT_EQ(answer.candidates[1].cellId, "int8-4");
    EXPECT_NEAR(answer.candidates[1].besideBest->value, 0.75, 1e-9) << "drift cancels";
    EXPECT_FALSE(answer.candidates[1].tied);
    EXPECT_EQ(answer.support.standing, AnswerStanding::Decided);
    EXPECT_EQ(candidacyOf(answer, "int8-1"), Candidacy::NoFigure);
}

TEST(Answer, EnergyThatTheRoundsDoNotTellApartIsATie)
{
    const AnswerQuestion question{.objective = AnswerObjective::Energy};
    RunData data = twoFamilies();
    for (Measurement& row : data.measurements) {
        const double noise = row.round == 1 ? 1.2 : 0.95;
        const double watts = row.cellId == "bf16-4"   ? 240.0
                             : row.cellId == "int8-4" ? 242.0 * noise
                                                      : 1000.0;
        addEnergy(row, watts);
    }
    const RunAnswer answer = ask(data, question);
    EXPECT_TRUE(answer.candidates[1].tied);
    EXPECT_EQ(answer.support.standing, AnswerStanding::Unsure);
    // A round whose window is too short for its energy has no pair.
    for (Measurement& row : data.measurements) {
        if (row.round == 2 && row.cellId == answer.candidates[1].cellId)
            row.result.energy->seconds = 1.0;
    }
    const RunAnswer unpaired = ask(data, question);
    EXPECT_FALSE(unpaired.candidates[1].besideBest->interval);
    EXPECT_EQ(unpaired.support.standing, AnswerStanding::Unsure);
}

TEST(Answer, EnergyHasAnIntervalFromThreeRoundsOnThatHoldsItsMedian)
{
    const AnswerQuestion question{.objective = AnswerObjective::Energy};
    RunData data = twoFamilies();
    for (Measurement& row : data.measurements)
        addEnergy(row, 100.0 * (1.0 + 0.1 * row.round));
    ASSERT_TRUE(ask(data, question).best()->interval);
    std::erase_if(data.measurements, [](const Measurement& row) { return row.round == 2; });
    EXPECT_FALSE(ask(data, question).best()->interval) << "as of times and throughputs";

    RunData skewed = runOf({{.id = "bf16", .reference = "bf16"}}, 11);
    for (int round = 0; round < 11; ++round) {
        addRow(skewed, "bf16", round, {1.0});
        addEnergy(skewed.measurements.back(), round < 5 ? 100.0 : 200.0);
    }
    const RunAnswer answer = ask(skewed, question);
    EXPECT_NEAR(*answer.best()->value, 200.0, 1e-6);
    EXPECT_GE(answer.best()->interval->upper, *answer.best()->value);
}

TEST(Answer, TiesAreWhatTheRoundsDoNotTellApart)
{
    RunData data = twoFamilies();
    int round = 0;
    for (Measurement& row : data.measurements) {
        if (row.cellId == "bf16-4")
            row.result.hostSeconds = {round++ == 1 ? 1.7 : 1.85};
    }
    const RunAnswer answer = ask(data);
    EXPECT_TRUE(answer.candidates[1].tied);
    EXPECT_FALSE(answer.candidates[2].tied);
    std::erase_if(data.measurements, [](const Measurement& row) { return row.round == 2; });
    const RunAnswer twoRounds = ask(data);
    EXPECT_FALSE(twoRounds.candidates[1].besideBest->interval)
        << "two rounds give no interval, and nothing is settled by it";
    EXPECT_FALSE(twoRounds.candidates[1].tied);
    EXPECT_FALSE(twoRounds.progress.complete);
}

TEST(Answer, NothingBeatsTheBaselineAndTheNearestIsNamed)
{
    RunData data = twoFamilies();
    for (Measurement& row : data.measurements) {
        if (row.cellId == "int8-4")
            row.result.hostSeconds = {2.5};
    }
    const RunAnswer answer = ask(data);
    EXPECT_EQ(bestOf(answer), "bf16-4");
    EXPECT_TRUE(answer.isBaseline);
    ASSERT_TRUE(answer.nearest);
    EXPECT_EQ(answer.candidates[*answer.nearest].cellId, "int8-4");
    EXPECT_FALSE(answer.nearestOfOthers);
    data.plan.cells.push_back(tests::cellOf(
        {.id = "graph-4", .compile = "cuda-graph", .batch = 4, .reference = "bf16-4"}));
    for (int round = 0; round < 3; ++round)
        addRow(data, "graph-4", round, {2.2});
    const RunAnswer nearer = ask(data, {}, "bf16-eager");
    EXPECT_EQ(nearer.candidates[*nearer.nearest].cellId, "int8-4");
    EXPECT_TRUE(nearer.nearestOfOthers);
    std::erase_if(data.measurements, [](const auto& row) { return row.cellId == "graph-4"; });
    // Against another baseline the same cell is not its own.
    EXPECT_FALSE(ask(data, {}, "int8-4").isBaseline);
    EXPECT_FALSE(ask(runOf({{.id = "a"}})).nearest);
}

TEST(Answer, ABaselineThatIsNoCandidateMayBeFaster)
{
    RunData data = twoFamilies();
    data.plan.cells.push_back(tests::cellOf(
        {.id = "graph-4", .compile = "cuda-graph", .batch = 4, .reference = "bf16-4"}));
    data.plan.cells.back().role = CellRole::NoiseFloor;
    addRow(data, "graph-4", 0, {1.0});
    const RunAnswer answer = ask(data);
    EXPECT_EQ(bestOf(answer), "int8-4");
    EXPECT_TRUE(answer.belowBaseline) << "best bf16 is the graph";
    EXPECT_FALSE(answer.isBaseline);
    EXPECT_FALSE(ask(data, {}, "bf16-eager").belowBaseline);
}

TEST(Answer, MinimumLikenessIsOfTheMean)
{
    RunData data = twoFamilies();
    addQuality(data, "int8-4", "bf16-4", 0, 0.98);
    addQuality(data, "int8-4", "bf16-4", 1, 0.999);
    EXPECT_EQ(bestOf(ask(data, kMinimumLikeness)), "bf16-4") << "0.9895";
    EXPECT_EQ(candidacyOf(ask(data, kMinimumLikeness), "int8-4"), Candidacy::BeyondLimit);
    AnswerQuestion lower = kMinimumLikeness;
    lower.minimumLikeness = 0.9895;
    EXPECT_EQ(bestOf(ask(data, lower)), "int8-4");
}

// Texts have no SSIM: what is asked of them is how often their choice is that of the reference.
TEST(Answer, LikenessIsWhatTheOutputsHave)
{
    RunData data = twoFamilies();
    for (PlannedCell& cell : data.plan.cells)
        cell.output = OutputKind::Logits;
    OutputQuality& quality = addQuality(data, "int8-4", "bf16-4", 0, 0.0);
    quality.figures.clear();
    quality.set("kl_divergence", 0.01);
    quality.set("top1_agreement", 0.995);
    EXPECT_EQ(bestOf(ask(data, kMinimumLikeness)), "int8-4");
    AnswerQuestion higher = kMinimumLikeness;
    higher.minimumLikeness = 0.999;
    EXPECT_EQ(candidacyOf(ask(data, higher), "int8-4"), Candidacy::BeyondLimit);
}

TEST(Answer, AFloorOfSomeOfItsRunsIsNoLimit)
{
    RunData data = twoFamilies();
    addQuality(data, "int8-4", "bf16-4", 0, 0.99);
    addQuality(data, "fp32-4", "bf16-4", 0, 0.99);
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::Eligible);
    PlannedCell again = data.plan.cells[2];
    again.id = "again";
    again.rerun = 1;
    again.role = CellRole::NoiseFloor;
    data.plan.cells.push_back(again);
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::FloorUnknown);
}

TEST(Answer, NoiseLimitHoldsForMeanAndWorstPicture)
{
    RunData data = twoFamilies();
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::NotCompared);
    addQuality(data, "int8-4", "bf16-4", 0, 0.99);
    addQuality(data, "int8-4", "bf16-4", 1, 0.99);
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::FloorUnknown);
    addQuality(data, "fp32-4", "bf16-4", 0, 0.99);
    addQuality(data, "fp32-4", "bf16-4", 1, 0.999);
    EXPECT_EQ(bestOf(ask(data, kWithinNoise)), "int8-4");
    // A mean distance of 0.0105 is below twice 0.0055; the worst picture's 0.021 is not below twice
    // 0.01.
    addQuality(data, "int8-4", "bf16-4", 0, 0.979);
    addQuality(data, "int8-4", "bf16-4", 1, 1.0);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_LE(*analysis.find("int8-4")->noiseMultiple, 2.0);
    EXPECT_NEAR(*analysis.find("int8-4")->worstNoiseMultiple, 2.1, 1e-9);
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::BeyondLimit);
}

TEST(Answer, DeterministicFloorTakesIdenticalPicturesOnly)
{
    RunData data = twoFamilies();
    addQuality(data, "fp32-4", "bf16-4", 0, 1.0);
    addQuality(data, "int8-4", "bf16-4", 0, 0.9999);
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::BeyondLimit);
    addQuality(data, "int8-4", "bf16-4", 0, 1.0);
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::Doubtful)
        << "another precision that leaves no trace";
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id == "int8-4") {
            cell.config.precision = {"bf16"};
            cell.config.compile = "cuda-graph";
        }
    }
    EXPECT_EQ(candidacyOf(ask(data, kWithinNoise), "int8-4"), Candidacy::Eligible);
}

TEST(Answer, QualityOfAnotherBatchIsNotInvented)
{
    RunData data = twoFamilies();
    addQuality(data, "int8-1", "bf16-1", 0, 0.999);
    const RunAnswer answer = ask(data, kMinimumLikeness);
    EXPECT_EQ(bestOf(answer), "bf16-4") << "the quality of int8-4 is not known";
    EXPECT_EQ(candidacyOf(answer, "int8-4"), Candidacy::NotComparedHere);
    EXPECT_EQ(candidacyOf(answer, "int8-1"), Candidacy::Eligible);
    const auto found = std::find_if(answer.candidates.begin(), answer.candidates.end(),
                                    [](const auto& each) { return each.cellId == "int8-4"; });
    EXPECT_EQ(found->comparedBatches, std::vector<std::int64_t>{1});
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(comparedBatches(analysis, *analysis.find("int8-4")), std::vector<std::int64_t>{1});
    EXPECT_TRUE(comparedBatches(analysis, *analysis.find("bf16-4")).empty());
}

TEST(Answer, UntrainedWeightsHaveNoLimit)
{
    RunData data = twoFamilies();
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = false;
    addQuality(data, "int8-4", "bf16-4", 0, 0.1);
    const RunAnswer answer = ask(data, kMinimumLikeness);
    EXPECT_EQ(bestOf(answer), "int8-4");
    EXPECT_FALSE(answer.trained);
}

TEST(Answer, SaysWhyACellIsNone)
{
    RunData data = twoFamilies();
    data.plan.cells.push_back(tests::cellOf({.id = "never"}));
    data.plan.cells.push_back(tests::cellOf({.id = "cannot"}));
    data.plan.cells.back().impossible = remark("needs CUDA");
    data.plan.cells.push_back(tests::cellOf({.id = "dead"}));
    addFailure(data, "dead", 0, FailureKind::OutOfMemory);
    data.plan.cells.push_back(tests::cellOf({.id = "stopped"}));
    addFailure(data, "stopped", 0, FailureKind::Stopped);
    data.plan.cells.push_back(tests::cellOf({.id = "elsewhere"}));
    addRow(data, "elsewhere", 0, {0.001}, "e2");
    data.plan.cells.push_back(tests::cellOf({.id = "other"}));
    addRow(data, "other", 0, {0.0001}).result.executed = tests::ranSomethingElse();
    const RunAnswer answer = ask(data);
    EXPECT_EQ(bestOf(answer), "int8-4");
    EXPECT_EQ(candidacyOf(answer, "never"), Candidacy::NotMeasured);
    EXPECT_EQ(candidacyOf(answer, "cannot"), Candidacy::Impossible);
    EXPECT_EQ(candidacyOf(answer, "dead"), Candidacy::Failed);
    EXPECT_EQ(candidacyOf(answer, "stopped"), Candidacy::NotMeasured);
    EXPECT_EQ(candidacyOf(answer, "elsewhere"), Candidacy::OtherEnvironment);
    EXPECT_EQ(candidacyOf(answer, "other"), Candidacy::Doubtful);
    EXPECT_EQ(answer.progress.possible, 10);
    EXPECT_FALSE(answer.progress.complete);
}

TEST(Answer, OfNothing)
{
    const RunAnswer answer = ask(RunData{});
    EXPECT_EQ(answer.best(), nullptr);
    EXPECT_TRUE(answer.candidates.empty());
    EXPECT_EQ(answer.progress.possible, 0);
    RunData planned = twoFamilies();
    planned.measurements.clear();
    EXPECT_EQ(ask(planned).best(), nullptr);
    EXPECT_EQ(ask(planned).candidates.size(), 4U);
}

// See Note [No answer yet].
TEST(Answer, IsDecidedWhenTheRepeatsTellItApart)
{
    const AnswerSupport support = ask(twoFamilies()).support;
    EXPECT_EQ(support.standing, AnswerStanding::Decided);
    EXPECT_FALSE(support.open);
    ASSERT_TRUE(support.claimed);
    EXPECT_NEAR(*support.claimed, 1.0 / 0.9, 1e-2);
}

TEST(Answer, IsUnsureWithOneRepeat)
{
    RunData data = twoFamilies();
    std::erase_if(data.measurements, [](const Measurement& row) { return row.round > 0; });
    EXPECT_EQ(ask(data).support.standing, AnswerStanding::Unsure);
}

TEST(Answer, IsNoneOfOneCell)
{
    RunData data = twoFamilies();
    std::erase_if(data.measurements, [](const Measurement& row) { return row.cellId != "bf16-4"; });
    const AnswerSupport support = ask(data).support;
    EXPECT_EQ(support.open, NoAnswerYet::OneCell);
    EXPECT_EQ(support.standing, AnswerStanding::Open);
    // The reference of a cell that quantizes makes passes: it is no second one to choose from.
    RunData other = twoFamilies();
    PlannedCell& quantizing = other.plan.cells[3];
    quantizing.config.workload = "quantize";
    std::erase_if(other.plan.cells, [](const auto& cell) { return cell.config.batch == 1; });
    other.plan.cells[0].role = CellRole::QualityReference;
    EXPECT_EQ(ask(other).support.open, NoAnswerYet::OneCell);
}

TEST(Answer, IsNoneOfBaselinesAloneWhileOthersAreToCome)
{
    RunData data = twoFamilies();
    std::erase_if(data.measurements, [](const Measurement& row) {
        return row.cellId.starts_with("int8") || row.cellId.starts_with("fp32");
    });
    EXPECT_EQ(ask(data).support.open, NoAnswerYet::BaselineAlone);
    EXPECT_NE(ask(data, {.objective = AnswerObjective::Memory}).support.open,
              NoAnswerYet::BaselineAlone);
    addRow(data, "int8-1", 0, {0.9});
    EXPECT_NE(ask(data).support.open, NoAnswerYet::BaselineAlone);
    // Nothing else will come.
    std::erase_if(data.measurements,
                  [](const Measurement& row) { return row.cellId.starts_with("int8"); });
    std::erase_if(data.plan.cells,
                  [](const PlannedCell& cell) { return !cell.id.starts_with("bf16"); });
    EXPECT_FALSE(ask(data).support.open);
}

// The baseline is beaten, but by whom of two nobody knows.
TEST(Answer, IsUnsureWhileTheNextBestTies)
{
    RunData data = twoFamilies();
    EXPECT_EQ(ask(data).support.standing, AnswerStanding::Decided);
    PlannedCell other = data.plan.cells[3];
    other.id = "int8wo-4";
    other.config.precision = {"int8wo"};
    data.plan.cells.push_back(other);
    for (int round = 0; round < 3; ++round)
        addRow(data, "int8wo-4", round, {1.81 + (round == 1 ? -0.02 : 0.02)});
    const RunAnswer answer = ask(data);
    ASSERT_EQ(bestOf(answer), "int8-4");
    ASSERT_TRUE(answer.candidates[1].tied);
    EXPECT_EQ(answer.support.standing, AnswerStanding::Unsure);
    EXPECT_TRUE(answer.support.claimed) << "against the baseline";
}

TEST(Answer, IsNoneWhileRerunsDifferByMore)
{
    for (const int rounds : {1, 3}) {
        for (const auto& [again, open] : {std::pair(1.3, true), std::pair(1.07, false)}) {
            RunData data = twoFamilies();
            PlannedCell rerun = data.plan.cells[2];
            rerun.id = "bf16-4 again";
            rerun.role = CellRole::NoiseFloor;
            rerun.rerun = 1;
            data.plan.cells.push_back(rerun);
            for (int round = 0; round < 3; ++round)
                addRow(data, "bf16-4 again", round, {2.0 * again * (1.0 + 0.001 * round)});
            std::erase_if(data.measurements,
                          [&](const Measurement& row) { return row.round >= rounds; });
            const AnswerSupport support = ask(data).support;
            EXPECT_EQ(support.open == NoAnswerYet::RerunsDiffer, open) << rounds << ' ' << again;
            EXPECT_NEAR(support.rerunSpread, again, 1e-2) << rounds;
            // Memory is not timed.
            EXPECT_NE(ask(data, {.objective = AnswerObjective::Memory}).support.open,
                      NoAnswerYet::RerunsDiffer);
        }
    }
}

// A tie with the baseline would be told as nothing being faster than it.
TEST(Answer, NothingBeatsTheBaselineOnlyWhereRerunsAgree)
{
    for (const double again : {1.0, 2.2}) {
        RunData data = twoFamilies();
        std::erase_if(data.measurements,
                      [](const Measurement& row) { return row.cellId == "int8-4"; });
        PlannedCell rerun = data.plan.cells[2];
        rerun.id = "bf16-4 again";
        rerun.role = CellRole::NoiseFloor;
        rerun.rerun = 1;
        data.plan.cells.push_back(rerun);
        for (int round = 0; round < 3; ++round) {
            addRow(data, "bf16-4 again", round, {2.0 * again * (1.0 + 0.001 * round)});
            addRow(data, "int8-4", round, {round == 1 ? 1.5 : 2.5});
        }
        const RunAnswer answer = ask(data);
        ASSERT_EQ(bestOf(answer), "bf16-4");
        EXPECT_TRUE(answer.isBaseline);
        EXPECT_FALSE(answer.support.claimed) << "a tie";
        EXPECT_EQ(answer.support.open,
                  again > 1.0 ? std::optional(NoAnswerYet::RerunsDiffer) : std::nullopt);
    }
}

TEST(Answer, IsNoneWhileBetterCellsWaitForTheirReference)
{
    RunData data = twoFamilies();
    std::erase_if(data.measurements, [](const Measurement& row) {
        return row.cellId == "bf16-4" || row.cellId == "fp32-4";
    });
    for (int sample = 0; sample < 4; ++sample)
        addQuality(data, "int8-1", "bf16-1", sample, 0.999);
    const AnswerSupport support = ask(data, kMinimumLikeness).support;
    EXPECT_EQ(support.open, NoAnswerYet::ReferencePending);
    // Where any quality will do nothing is waited for.
    EXPECT_NE(ask(data).support.open, NoAnswerYet::ReferencePending);
}

TEST(Answer, NoBaselineWinsOverCellsThatNobodyJudged)
{
    RunData data = twoFamilies();
    std::erase_if(data.measurements, [](const Measurement& row) { return row.cellId == "fp32-4"; });
    std::erase_if(data.plan.cells, [](const PlannedCell& cell) { return cell.id == "fp32-4"; });
    const auto openOf = [&](const AnswerQuestion& question) {
        return ask(data, question).support.open;
    };
    EXPECT_EQ(openOf(kWithinNoise), NoAnswerYet::NotCompared);
    for (const char* id : {"int8-1", "int8-4"}) {
        for (int sample = 0; sample < 4; ++sample)
            addQuality(data, id, id == std::string("int8-1") ? "bf16-1" : "bf16-4", sample, 0.9);
    }
    EXPECT_EQ(openOf(kWithinNoise), NoAnswerYet::FloorMissing);
    // They are known to be beyond this limit, and any quality keeps none.
    EXPECT_FALSE(openOf(kMinimumLikeness));
    EXPECT_FALSE(openOf({}));
}

TEST(Answer, IsATieWhenTheRepeatsDoNotTell)
{
    RunData data = twoFamilies();
    for (Measurement& row : data.measurements) {
        if (row.cellId == "int8-4")
            row.result.hostSeconds = row.result.deviceSeconds = {
                2.0 * (1.0 + 0.001 * row.round) * (row.round == 1 ? 0.9990 : 0.9995)};
    }
    const AnswerSupport support = ask(data).support;
    EXPECT_EQ(support.standing, AnswerStanding::Unsure);
    EXPECT_FALSE(support.open);
}

}  // namespace
}  // namespace qs::core
