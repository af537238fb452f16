#include "core/model/calibration_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

using testing::ElementsAre;

// Of Fisher-Yates over splitmix64, written down in Python.
TEST(ChosenSamples, AreThoseOfTheShuffle)
{
    EXPECT_THAT(chosenSamples(10, 4, 1), ElementsAre(3, 8, 9, 4));
    EXPECT_THAT(chosenSamples(10, 10, 1), ElementsAre(3, 8, 9, 4, 6, 1, 7, 2, 5, 0));
    EXPECT_THAT(chosenSamples(7, 3, 12345), ElementsAre(1, 0, 2));
    EXPECT_THAT(chosenSamples(1, 1, 9), ElementsAre(0));
}

TEST(ChosenSamples, OfSeed0AreTheFirst)
{
    EXPECT_THAT(chosenSamples(10, 4, 0), ElementsAre(0, 1, 2, 3));
}

TEST(ChosenSamples, AreEachThereOnce)
{
    for (std::int64_t seed = 0; seed < 50; ++seed) {
        const auto chosen = chosenSamples(40, 17, seed);
        const std::set<std::int64_t> different(chosen.begin(), chosen.end());
        EXPECT_EQ(different.size(), 17U) << seed;
        EXPECT_GE(*different.begin(), 0);
        EXPECT_LT(*different.rbegin(), 40);
    }
}

}  // namespace
}  // namespace qs::core
