#include "core/analysis/run_comparison.h"

#include "core/report/comparison_report.h"
#include "core/report/words/comparison_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::addFailure;
using tests::addQuality;
using tests::addRow;
using tests::runOf;

// A run with its analysis, where it stays.
struct ReadRun {
    explicit ReadRun(RunData from) : data(std::move(from)), figures(data.measurements)
    {
        analysis = analyse(data, figures, "bf16-eager");
    }
    [[nodiscard]] RunSide side() const
    {
        return {.data = &data, .figures = &figures, .analysis = &analysis};
    }

    RunData data;
    RunFigures figures;
    Analysis analysis;
};

using RunPlace = std::unique_ptr<ReadRun>;

// Three cells; seconds of fp16 and int8dq are multiples of those of bf16.
RunData dataWith(double factor, const std::string& device = "cpu",
                 const std::string& environment = "e1", double int8Ssim = 0.99)
{
    RunData data =
        runOf({{.id = "eager" + device, .reference = "eager" + device},
               {.id = "half" + device, .precision = "fp16", .reference = "eager" + device},
               {.id = "int" + device, .precision = "int8dq", .reference = "eager" + device}},
              5);
    const double wander[] = {0.0, 0.002, -0.002, 0.001, -0.001};
    for (PlannedCell& cell : data.plan.cells) {
        cell.config.device = device;
        cell.trained = true;
        for (int round = 0; round < 5; ++round) {
            const double base = cell.config.precision.front() == "int8dq" ? factor : 1.0;
            const double seconds = base * (1.0 + wander[round]);
            Measurement& row =
                addRow(data, cell.id, round, {seconds, seconds, seconds}, environment);
            row.result.memory.allocatedPeak = 1000;
        }
    }
    data.pictureNames = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (int image = 0; image < 8; ++image)
        addQuality(data, "int" + device, "eager" + device, image, int8Ssim - 0.001 * image);
    return data;
}

RunComparison compared(const RunPlace& before, const RunPlace& after)
{
    return compareRuns(before->side(), after->side());
}

RunPlace runWith(double factor, const std::string& device = "cpu",
                 const std::string& environment = "e1", double ssim = 0.99)
{
    return std::make_unique<ReadRun>(dataWith(factor, device, environment, ssim));
}

TEST(RunComparison, SaysWhichCellsBecameSlower)
{
    const RunPlace before = runWith(1.0);
    const RunPlace after = runWith(1.5, "cpu", "e2");
    const RunComparison comparison = compared(before, after);
    ASSERT_THAT(comparison.cells, SizeIs(3));
    EXPECT_EQ(comparison.cells[2].speed->verdict, Verdict::Slower);
    EXPECT_NEAR(comparison.cells[2].speed->evidence.ratio.value, 1.0 / 1.5, 1e-3);
    EXPECT_FALSE(comparison.cells[2].speed->evidence.paired);
    // Runs of two days drift: nothing within 5 % is said, not even that it is the same.
    EXPECT_EQ(comparison.cells[0].speed->verdict, Verdict::Ambiguous);
    const ComparisonCounts counts = countChanges(comparison);
    EXPECT_EQ(counts.slower, 1);
    EXPECT_EQ(counts.faster, 0);
    EXPECT_EQ(counts.undecided, 2);
    EXPECT_EQ(countChanges(compared(after, before)).faster, 1);
}

TEST(RunComparison, MatchesCellsWithoutWhatWasChanged)
{
    const RunPlace before = runWith(1.0, "cpu");
    const RunPlace after = runWith(0.5, "cuda:0", "e2");
    const RunComparison comparison = compared(before, after);
    ASSERT_THAT(comparison.changed, SizeIs(1));
    EXPECT_EQ(comparison.changed[0], (ChangedAxis{"device", "cpu", "cuda:0"}));
    ASSERT_THAT(comparison.cells, SizeIs(3));
    EXPECT_EQ(comparison.cells[2].after->cellId, "intcuda:0");
    EXPECT_EQ(comparison.cells[2].speed->verdict, Verdict::Faster);
    EXPECT_THAT(changeText(comparison), HasSubstr("cuda:0"));
}

// The environment that rows of `device` come from.
void describe(RunData& data, const std::string& device, const std::string& name,
              const std::string& driver)
{
    Environment environment;
    environment.torch = "2.11.0";
    DeviceDescription& described = environment.devices.emplace_back();
    described.id = device;
    described.name = name;
    described.kind = DeviceKind::Cuda;
    described.driver = driver;
    for (Measurement& row : data.measurements)
        row.environmentId = environment.id();
    data.environments = {environment};
}

TEST(RunComparison, VerdictsAcrossDevicesSaySo)
{
    const auto run = [](const std::string& name, const std::string& driver) {
        RunData data = dataWith(1.0, "cuda:0");
        describe(data, "cuda:0", name, driver);
        return std::make_unique<ReadRun>(std::move(data));
    };
    const RunPlace before = run("NVIDIA H100", "570");
    const RunComparison driver = compared(before, run("NVIDIA H100", "580"));
    const RunComparison device = compared(before, run("NVIDIA H200", "580"));
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_TRUE(device.cells[i].speed && driver.cells[i].speed);
        EXPECT_FALSE(driver.cells[i].otherDevice);
        EXPECT_TRUE(device.cells[i].otherDevice);
        EXPECT_THAT(speedChangeText(device.cells[i]), HasSubstr("on another device"));
    }
    // The device comes before what follows from it.
    EXPECT_THAT(changeSummary(driver), HasSubstr("570 → 580"));
    EXPECT_LT(changeSummary(device).find("H200"), changeSummary(device).find("580"));
    // Another id is another device where nothing else is known.
    EXPECT_TRUE(compared(runWith(1.0, "cpu"), runWith(1.0, "cuda:0")).cells[0].otherDevice);
    EXPECT_FALSE(compared(runWith(1.0), runWith(1.0, "cpu", "e2")).cells[0].otherDevice);
}

TEST(RunComparison, HeadingsNameFewChanges)
{
    RunData data = dataWith(1.0, "cuda:0");
    describe(data, "cuda:0", "NVIDIA H100", "570");
    const auto before = std::make_unique<ReadRun>(data);
    Environment& environment = data.environments.front();
    environment.devices.front().driver = "580";
    environment.torch = "2.12.0";
    environment.cuda = "13.1";
    environment.host = "elsewhere";
    for (Measurement& row : data.measurements)
        row.environmentId = environment.id();
    const RunComparison comparison = compared(before, std::make_unique<ReadRun>(std::move(data)));
    const std::string summary = changeSummary(comparison);
    EXPECT_THAT(summary, HasSubstr("570 → 580"));
    EXPECT_THAT(summary, HasSubstr("2.11.0 → 2.12.0"));
    EXPECT_THAT(summary, HasSubstr("and 2 more"));
    EXPECT_LT(summary.size(), changeText(comparison).size());
}

TEST(RunComparison, NamesWhatOnlyOneRunHas)
{
    RunData fewer = dataWith(1.0);
    fewer.plan.cells.erase(fewer.plan.cells.begin() + 1);
    const RunPlace before = runWith(1.0);
    const RunPlace after = std::make_unique<ReadRun>(std::move(fewer));
    const RunComparison comparison = compared(before, after);
    EXPECT_THAT(comparison.cells, SizeIs(2));
    ASSERT_THAT(comparison.onlyBefore, SizeIs(1));
    EXPECT_EQ(comparison.onlyBefore[0]->cellId, "halfcpu");
    EXPECT_THAT(comparison.onlyAfter, IsEmpty());
}

TEST(RunComparison, TellsWorseOutputs)
{
    const RunPlace before = runWith(1.0);
    const RunPlace after = runWith(1.0, "cpu", "e1", 0.5);
    const RunComparison comparison = compared(before, after);
    ASSERT_TRUE(comparison.sameImages);
    ASSERT_TRUE(comparison.cells[2].quality);
    EXPECT_EQ(comparison.cells[2].quality->verdict, QualityVerdict::Worse);
    EXPECT_EQ(countChanges(comparison).worse, 1);
    EXPECT_EQ(compared(after, before).cells[2].quality->verdict, QualityVerdict::Better);
    // Other images: nothing is compared.
    RunData other = dataWith(1.0, "cpu", "e1", 0.5);
    other.pictureNames.back() = "z";
    const RunPlace strange = std::make_unique<ReadRun>(std::move(other));
    const RunComparison apart = compared(before, strange);
    EXPECT_FALSE(apart.cells[2].quality);
    ASSERT_THAT(unjudged(apart), SizeIs(1));
    EXPECT_EQ(unjudged(apart).front()->before->cellId, "intcpu");
    EXPECT_THAT(unjudged(comparison), IsEmpty());
}

// What is generated has no names, and is the same for the same seed; what comes from files is not
// known to be.
TEST(RunComparison, GeneratedInputsAreTheSame)
{
    const auto unnamed = [](double ssim, const std::string& feed) {
        RunData data = dataWith(1.0, "cpu", "e1", ssim);
        data.pictureNames.clear();
        EXPECT_TRUE(feed.empty() || addInputFeed(data.plan.preset.feeding, feed).ok());
        return std::make_unique<ReadRun>(std::move(data));
    };
    EXPECT_TRUE(compared(unnamed(0.99, {}), unnamed(0.5, {})).cells[2].quality);
    EXPECT_TRUE(compared(unnamed(0.99, "x=normal"), unnamed(0.5, "x=normal")).cells[2].quality);
    for (const char* other : {"x=file:a.npy", "x=normal"}) {
        const RunPlace before = unnamed(0.99, "x=file:a.npy");
        const RunPlace after = unnamed(0.5, other);
        EXPECT_FALSE(compared(before, after).cells[2].quality) << other;
    }
}

// Of the mean over the images, whatever the verdict.
TEST(RunComparison, FallsBeyondALimit)
{
    const RunPlace before = runWith(1.0);
    const RunPlace after = runWith(1.0, "cpu", "e1", 0.97);
    const RunComparison comparison = compared(before, after);
    EXPECT_THAT(fallenBy(comparison, 0.021), IsEmpty());
    ASSERT_THAT(fallenBy(comparison, 0.019), SizeIs(1));
    EXPECT_EQ(fallenBy(comparison, 0.019).front()->after->cellId, "intcpu");
    EXPECT_THAT(fallenBy(compared(after, before), 0.0), IsEmpty()) << "it rose";
}

TEST(RunComparison, TellsBrokenCellsAndMemory)
{
    RunData data = dataWith(1.0);
    std::erase_if(data.measurements, [](const Measurement& row) { return row.cellId == "intcpu"; });
    addFailure(data, "intcpu", 0, FailureKind::OutOfMemory);
    for (Measurement& row : data.measurements) {
        if (row.ok())
            row.result.memory.allocatedPeak = 1100;
    }
    const RunPlace before = runWith(1.0);
    const RunPlace after = std::make_unique<ReadRun>(std::move(data));
    const RunComparison comparison = compared(before, after);
    EXPECT_EQ(comparison.cells[2].status, StatusChange::Broken);
    EXPECT_FALSE(comparison.cells[2].speed);
    EXPECT_DOUBLE_EQ(*comparison.cells[0].memoryRatio, 1.1);
    const ComparisonCounts counts = countChanges(comparison);
    EXPECT_EQ(counts.broken, 1);
    EXPECT_EQ(counts.moreMemory, 2);
    EXPECT_EQ(compared(after, before).cells[2].status, StatusChange::Mended);
}

// The verdict and its cause stand in every file.
TEST(RunComparison, IsWrittenInOneVocabulary)
{
    const RunPlace before = runWith(1.0, "cpu");
    const RunPlace after = runWith(2.0, "cuda:0", "e2");
    const ComparedRuns runs{.baseName = "yesterday",
                            .base = before->side(),
                            .others = {{"<b>today</b>", after->side(), compared(before, after)}}};
    const std::string markdown = comparisonMarkdown(runs);
    EXPECT_THAT(markdown, HasSubstr("| slower on another device |"));
    EXPECT_THAT(markdown, HasSubstr("&lt;b&gt;today"));
    EXPECT_THAT(markdown, HasSubstr("| device | cpu | cuda:0 |"));
    const std::string csv = comparisonCsv(runs);
    EXPECT_THAT(csv, testing::StartsWith("label,run,changed,"));
    EXPECT_THAT(csv, HasSubstr(",slower,"));
    const Json json = comparisonJson(runs);
    EXPECT_EQ(json["comparisons"][0]["cells"][2]["speed"]["verdict"], "slower");
    EXPECT_EQ(json["comparisons"][0]["changed"][0]["after"], "cuda:0");
    EXPECT_EQ(json["comparisons"][0]["cells"][2]["other_device"], true);
    EXPECT_EQ(json["comparisons"][0]["counts"]["slower"], 1);
}

}  // namespace
}  // namespace qs::core
