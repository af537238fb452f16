#include "core/sweep/plan_needs.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using namespace qs::core;
using testing::HasSubstr;

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

PlannedCell cellOf(std::int64_t size, std::int64_t batch = 1)
{
    PlannedCell cell;
    cell.config.sizes.set("image_size", size);
    cell.config.batch = batch;
    constexpr std::int64_t kLargestSide = std::int64_t{1} << 30U;  // its square times 3 fits
    cell.outputValues = 3 * std::min(size, kLargestSide) * std::min(size, kLargestSide);
    return cell;
}

Plan planOf(std::vector<PlannedCell> cells, int images, int rounds = 1)
{
    Plan plan;
    plan.preset.pictures.count = images;
    plan.preset.rounds = rounds;
    plan.cells = std::move(cells);
    return plan;
}

TEST(PlanNeeds, DiskIsInputsOutputsAndRows)
{
    const Plan plan = planOf({cellOf(256), cellOf(256, 4), cellOf(512)}, 20, 3);
    const std::int64_t pixel = 12 + 3;
    EXPECT_EQ(inputBytes(plan, 256), 20 * 256 * 256 * pixel);
    EXPECT_EQ(outputBytes(plan, plan.cells[0]), 16 * 256 * 256 * pixel) << "16 are kept";
    EXPECT_EQ(needsOf(plan).diskBytes, inputBytes(plan, 256) + inputBytes(plan, 512) +
                                           2 * outputBytes(plan, plan.cells[0]) +
                                           outputBytes(plan, plan.cells[2]) + 9 * kRowBytes);
    EXPECT_EQ(plan.estimatedBytes(), needsOf(plan).diskBytes);
}

TEST(PlanNeeds, MemoryIsOneImageInTheMakingOrTheImagesOfABatch)
{
    constexpr std::int64_t kMiB = 1024 * 1024;
    EXPECT_EQ(needsOf(planOf({cellOf(1024)}, 4096)).imageMemoryBytes, 54 * kMiB)
        << "however many there are";
    EXPECT_EQ(needsOf(planOf({cellOf(1024, 64)}, 4096)).imageMemoryBytes, 64 * 36 * kMiB);
    EXPECT_EQ(needsOf(planOf({cellOf(1024, 64)}, 8)).imageMemoryBytes, 8 * 36 * kMiB)
        << "a batch repeats the images that there are";
}

TEST(PlanNeeds, ImpossibleCellsNeedNothing)
{
    Plan plan = planOf({cellOf(4096, 4096)}, 4096);
    plan.cells.front().impossible = remark("for a reason");
    EXPECT_EQ(needsOf(plan).diskBytes, 0);
    EXPECT_EQ(needsOf(plan).imageMemoryBytes, 0);
}

TEST(PlanNeeds, StaySaneForNonsense)
{
    const Plan plan = planOf(std::vector<PlannedCell>(1000, cellOf(INT32_MAX, INT32_MAX)), 4096);
    EXPECT_GT(needsOf(plan).diskBytes, 0);
    EXPECT_GT(needsOf(plan).imageMemoryBytes, 0);
}

TEST(PlanNeeds, ARunThatFitsIsNotRefused)
{
    EXPECT_TRUE(checkRoom({kGiB, kGiB}, {2 * kGiB, std::uintmax_t{2} << 30U}).ok());
    EXPECT_TRUE(checkRoom({kGiB, kGiB}, {}).ok()) << "nobody knows";
    // A small run on a small disk.
    EXPECT_TRUE(checkRoom({1 << 20, 1 << 20}, {kGiB, std::uintmax_t{100} << 20U}).ok());
}

TEST(PlanNeeds, SaysWhatDoesNotFit)
{
    const Status memory = checkRoom({0, 26 * kGiB}, {31 * kGiB, std::nullopt});
    ASSERT_FALSE(memory.ok());
    EXPECT_EQ(memory.error().code, ErrorCode::Unsupported) << "exit code 3";
    EXPECT_THAT(memory.error().message, HasSubstr("26.00 GiB of memory in one process, more than "
                                                  "half of the 31.00 GiB here"));
    const Status disk = checkRoom({824 * kGiB, 0}, {31 * kGiB, std::uintmax_t{70} << 30U});
    ASSERT_FALSE(disk.ok());
    EXPECT_EQ(disk.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(disk.error().message, HasSubstr("only 70.00 GiB are free"));
    EXPECT_FALSE(checkRoom({kGiB, 0}, {kGiB, std::uintmax_t{1} << 30U}).ok())
        << "nothing would be left for others";
}

}  // namespace
