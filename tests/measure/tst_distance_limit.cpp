#include "core/measure/distance_limit.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

TEST(DistanceLimit, IsFixedWhereNothingIsKnownOfTheModel)
{
    EXPECT_EQ(distanceLimit(false, {}), 0.05);
    EXPECT_EQ(distanceLimit(true, {}), 0.15);
}

TEST(DistanceLimit, IsThreeTimesBf16)
{
    EXPECT_DOUBLE_EQ(distanceLimit(false, 0.008), 0.024);
    EXPECT_DOUBLE_EQ(distanceLimit(false, 0.04), 0.12) << "more than where nothing is known";
}

// sqrt(d / 8): 0.5 % of noise moves one value in 25 by a step of an eighth.
TEST(DistanceLimit, WithCodesIsThreeTimesWhatRoundingDoesToThem)
{
    EXPECT_DOUBLE_EQ(distanceLimit(true, 0.005), 0.075);
    EXPECT_DOUBLE_EQ(distanceLimit(true, 0.02), 0.15);
    EXPECT_DOUBLE_EQ(distanceLimit(true, 0.15), 0.45) << "noise beyond a step";
}

TEST(DistanceLimit, StaysBetweenItsFloorAndHalfOfTheOutput)
{
    EXPECT_EQ(distanceLimit(false, 1e-5), kLeastLimit);
    EXPECT_EQ(distanceLimit(true, 1e-5), kLeastLimitOfCodes);
    EXPECT_EQ(distanceLimit(false, 0.24), kMostDistance);
    EXPECT_EQ(distanceLimit(true, 0.24), kMostDistance);
}

// Distances of compiled cells of shipped runs, with that of bf16 in the same run.
TEST(DistanceLimit, LeavesWhatWasMeasuredOfSoundPrograms)
{
    constexpr double kVitok350M = 0.0080;
    EXPECT_LT(0.0075, distanceLimit(false, kVitok350M)) << "bf16";
    EXPECT_LT(0.0137, distanceLimit(true, kVitok350M)) << "int8dq";
    EXPECT_LT(0.0206, distanceLimit(true, kVitok350M)) << "float8dq-row";
    EXPECT_LT(0.0031, distanceLimit(false, 0.0032)) << "RoPE alone";
    EXPECT_LT(0.094, distanceLimit(true, {})) << "float8-delayed of eight Llama blocks";
}

}  // namespace
}  // namespace qs::core
