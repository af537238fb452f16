#include "core/analysis/subset_search.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

namespace qs::core {
namespace {

struct Answer {
    double seconds;
    bool meetsLimit = true;
};

SubsetSearch searched(std::size_t things, std::size_t budget,
                      const std::function<Answer(Subset)>& ask)
{
    SubsetSearch search(things, budget);
    while (const auto subset = search.next()) {
        const Answer answer = ask(*subset);
        search.told(*subset, answer.seconds, answer.meetsLimit);
    }
    return search;
}

Subset exhaustive(std::size_t things, const std::function<Answer(Subset)>& ask)
{
    Subset best = 0;
    for (Subset subset = 1; subset < Subset{1} << things; ++subset) {
        if (ask(subset).meetsLimit && ask(subset).seconds < ask(best).seconds)
            best = subset;
    }
    return best;
}

// Four regions with effects of their own and on each other.
TEST(SubsetSearch, EqualsAnExhaustiveSearchOfFour)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> gain(0.6, 1.2);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<double> seconds;
        for (int i = 0; i < 16; ++i)
            seconds.push_back(gain(random));
        const auto ask = [&](Subset subset) { return Answer{seconds[subset]}; };
        const SubsetSearch search = searched(4, 16, ask);
        EXPECT_EQ(search.best(), exhaustive(4, ask));
        EXPECT_EQ(search.measured(), 16U);
    }
}

TEST(SubsetSearch, NeedsFewMeasurementsWhereEffectsMultiply)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> gain(0.7, 1.3);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<double> factors;
        for (int i = 0; i < 7; ++i)
            factors.push_back(gain(random));
        const auto ask = [&](Subset subset) {
            double seconds = 1.0;
            for (std::size_t i = 0; i < factors.size(); ++i)
                seconds *= (subset >> i & 1U) != 0 ? factors[i] : 1.0;
            return Answer{seconds};
        };
        const SubsetSearch search = searched(7, 40, ask);
        EXPECT_EQ(search.best(), exhaustive(7, ask));
        EXPECT_LE(search.measured(), 16U) << "of 128";
    }
}

// Two regions that spoil each other.
TEST(SubsetSearch, LearnsFromWhatItIsTold)
{
    const auto ask = [](Subset subset) {
        const double together = (subset & 3U) == 3U ? 3.0 : 1.0;
        return Answer{std::pow(0.8, std::popcount(subset)) * together};
    };
    const SubsetSearch search = searched(5, 20, ask);
    EXPECT_EQ(search.best(), exhaustive(5, ask));
    EXPECT_LT(search.measured(), 20U);
}

TEST(SubsetSearch, WhatMissesTheLimitIsNotTheAnswer)
{
    const auto ask = [](Subset subset) {
        return Answer{std::pow(0.8, std::popcount(subset)), (subset & 4U) == 0};
    };
    const SubsetSearch search = searched(3, 8, ask);
    EXPECT_EQ(search.best(), Subset{3});
    const SubsetSearch none = searched(2, 4, [](Subset) { return Answer{1.0, false}; });
    EXPECT_EQ(none.best(), std::nullopt);
}

TEST(SubsetSearch, StaysWithinItsBudget)
{
    const SubsetSearch search = searched(7, 5, [](Subset subset) { return Answer{1.0 + subset}; });
    EXPECT_EQ(search.measured(), 5U);
}

}  // namespace
}  // namespace qs::core
