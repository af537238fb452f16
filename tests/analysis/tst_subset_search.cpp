#include "core/analysis/subset_search.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
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
    SubsetSearch search(things, SubsetObjective::Time, {budget});
    while (const auto subset = search.next()) {
        const Answer answer = ask(*subset);
        search.told(*subset, {answer.seconds, 0.0, 1.0}, answer.meetsLimit);
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

// Figures of all subsets of four regions, and which of them meet the limit.
struct Cells {
    std::vector<SubsetFigures> figures;
    std::vector<bool> meets;
};

Cells randomCells(std::mt19937& random)
{
    std::uniform_real_distribution<double> part(0.6, 1.2);
    Cells cells;
    for (int i = 0; i < 16; ++i) {
        cells.figures.push_back(
            {0.01 * part(random), 1e9 * part(random), 1.0 + 20.0 * part(random)});
        cells.meets.push_back(part(random) < 1.0);
    }
    cells.figures[0].beginSeconds = 1.0;
    cells.meets[0] = true;
    return cells;
}

// Written anew: of passes it is the crossing of two straight lines.
double costOf(SubsetObjective objective, const Cells& cells, Subset subset)
{
    const SubsetFigures& none = cells.figures[0];
    const SubsetFigures& figures = cells.figures[subset];
    if (objective == SubsetObjective::Time)
        return figures.seconds;
    if (objective == SubsetObjective::Memory)
        return figures.bytes;
    return figures.seconds < none.seconds
               ? (figures.beginSeconds - none.beginSeconds) / (none.seconds - figures.seconds)
               : std::numeric_limits<double>::infinity();
}

TEST(SubsetSearch, EqualsAnExhaustiveSearchForEachObjectiveAndLimit)
{
    std::mt19937 random(11);
    for (int trial = 0; trial < 50; ++trial) {
        const Cells cells = randomCells(random);
        for (const SubsetObjective objective : kSubsetObjectives.values()) {
            std::optional<Subset> best;
            for (Subset subset = 0; subset < 16; ++subset) {
                const double cost = costOf(objective, cells, subset);
                if (cells.meets[subset] && std::isfinite(cost) &&
                    (!best || cost < costOf(objective, cells, *best)))
                    best = subset;
            }
            SubsetSearch search(4, objective, {16});
            while (const auto subset = search.next())
                search.told(*subset, cells.figures[*subset], cells.meets[*subset]);
            EXPECT_EQ(search.measured(), 16U);
            EXPECT_EQ(search.best(), best) << kSubsetObjectives.of(objective);
        }
    }
}

// One region gains much and takes minutes to compile, two gain less at once.
TEST(SubsetSearch, ObjectivesDisagree)
{
    const auto figures = [](Subset subset) {
        SubsetFigures figures{1.0, 100.0, 2.0};
        const double gain[] = {0.4, 0.2, 0.1, -0.1};
        const double bytes[] = {50.0, 20.0, -30.0, 1.0};
        const double begin[] = {400.0, 10.0, 10.0, 5.0};
        for (std::size_t i = 0; i < 4; ++i) {
            if ((subset >> i & 1U) == 0)
                continue;
            figures.seconds -= gain[i];
            figures.bytes += bytes[i];
            figures.beginSeconds += begin[i];
        }
        return figures;
    };
    const auto bestFor = [&](SubsetObjective objective) {
        SubsetSearch search(4, objective, {12});
        while (const auto subset = search.next())
            search.told(*subset, figures(*subset), true);
        return search.best();
    };
    EXPECT_EQ(bestFor(SubsetObjective::Time), Subset{7});
    EXPECT_EQ(bestFor(SubsetObjective::Memory), Subset{4});
    EXPECT_EQ(bestFor(SubsetObjective::BreakEven), Subset{2});
}

TEST(SubsetSearch, WhatGainsNothingNeverBreaksEven)
{
    SubsetSearch search(2, SubsetObjective::BreakEven, {4});
    while (const auto subset = search.next())
        search.told(*subset, {1.0 + *subset, 1.0, 2.0}, true);
    EXPECT_EQ(search.best(), std::nullopt);
}

TEST(SubsetSearch, EndsWhenItsSecondsAreSpent)
{
    SubsetSearch search(7, SubsetObjective::Time, {128, 100.0});
    while (const auto subset = search.next())
        search.told(*subset, {1.0, 1.0, 1.0}, true, 30.0);
    EXPECT_EQ(search.measured(), 4U);
}

TEST(SubsetSearch, StaysWithinItsBudget)
{
    const SubsetSearch search = searched(7, 5, [](Subset subset) { return Answer{1.0 + subset}; });
    EXPECT_EQ(search.measured(), 5U);
}

}  // namespace
}  // namespace qs::core
