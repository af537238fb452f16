#include "core/sweep/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace qs::core {
namespace {

using testing::ElementsAre;

Plan planOf(std::size_t cells, std::int64_t orderSeed)
{
    Plan plan;
    plan.cells.resize(cells);
    plan.preset.orderSeed = orderSeed;
    plan.preset.rounds = 6000;
    return plan;
}

TEST(RoundOrder, HoldsEveryCellOnce)
{
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
        for (int round = 0; round < 3; ++round) {
            std::vector<std::size_t> order = roundOrder(planOf(count, 5), round);
            std::sort(order.begin(), order.end());
            std::vector<std::size_t> all(count);
            std::iota(all.begin(), all.end(), std::size_t{0});
            EXPECT_EQ(order, all) << count << " cells, round " << round;
        }
    }
}

// Computed with an independent implementation in Python that gives the published first value of
// splitmix64 (seed 1234567: 6457827717110365317). A resumed run must go on in the same order on
// every platform and with every later version.
TEST(RoundOrder, IsTheSameEverywhere)
{
    EXPECT_THAT(roundOrder(planOf(8, 1), 0), ElementsAre(0, 5, 2, 7, 3, 4, 1, 6));
    EXPECT_THAT(roundOrder(planOf(8, 1), 1), ElementsAre(5, 4, 2, 6, 0, 7, 1, 3));
    EXPECT_THAT(roundOrder(planOf(8, 9223372036854775807), 4), ElementsAre(7, 2, 0, 4, 6, 3, 1, 5));
}

TEST(RoundOrder, DependsOnSeedAndRoundAlone)
{
    const auto order = roundOrder(planOf(20, 1), 2);
    Plan other = planOf(20, 1);
    other.preset.name = "another";
    other.preset.rounds = 99;
    other.cells[3].impossible = remark("There is no cuda:1 here.");
    EXPECT_EQ(roundOrder(other, 2), order);
    std::set<std::vector<std::size_t>> distinct;
    for (std::int64_t seed = 0; seed < 10; ++seed) {
        for (int round = 0; round < 10; ++round)
            distinct.insert(roundOrder(planOf(20, seed), round));
    }
    EXPECT_EQ(distinct.size(), 100U);  // also seed 1, round 2 and seed 2, round 1
}

TEST(RoundOrder, IsNotChangedByCellsThatAreAppendedLater)
{
    Plan plan = planOf(9, 3);
    plan.preset.rounds = 2;
    const auto before = roundOrder(plan, 1);
    plan.cells.resize(12);
    for (std::size_t cell = 9; cell < 12; ++cell)
        plan.cells[cell].rounds = {{2, 1}};
    plan.cells[4].rounds = {{0, 2}, {2, 1}};
    EXPECT_EQ(roundOrder(plan, 1), before);
    EXPECT_THAT(roundOrder(plan, 2), testing::UnorderedElementsAre(4, 9, 10, 11));
    EXPECT_THAT(roundOrder(plan, 3), testing::IsEmpty());
}

// What is measured after them is judged at once, and shown. Later rounds are random throughout: a
// reference that always came first would be measured on a colder device than the rest.
TEST(RoundOrder, BeginsWithReferencesInTheirFirstRound)
{
    Plan plan = planOf(12, 7);
    plan.preset.rounds = 3;
    const Plan plain = plan;
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
        plan.cells[cell].id = std::to_string(cell);
        plan.cells[cell].referenceId = cell < 6 ? "2" : "9";
    }
    const auto order = roundOrder(plan, 0);
    EXPECT_THAT(std::vector(order.begin(), order.begin() + 2), testing::UnorderedElementsAre(2, 9));
    std::vector<std::size_t> others = roundOrder(plain, 0);
    std::erase_if(others, [](std::size_t cell) { return cell == 2 || cell == 9; });
    EXPECT_EQ(std::vector(order.begin() + 2, order.end()), others);
    EXPECT_EQ(roundOrder(plan, 1), roundOrder(plain, 1));
    EXPECT_EQ(roundOrder(plan, 2), roundOrder(plain, 2));
    // One that is appended begins with the first of its rounds.
    plan.cells[9].rounds = {{1, 2}};
    EXPECT_EQ(roundOrder(plan, 1).front(), 9U);
}

// How far bf16 is from fp32 limits how far compiled cells may be from eager ones.
TEST(RoundOrder, GoldenRunsComeWithTheirReferences)
{
    Plan plan = planOf(12, 7);
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
        plan.cells[cell].id = std::to_string(cell);
        plan.cells[cell].referenceId = "2";
        plan.cells[cell].config.compile = "none";
        plan.cells[cell].config.layers = "all";
        plan.cells[cell].config.precision = {cell == 4 || cell == 5 ? "fp32" : "bf16"};
    }
    plan.cells[5].config.compile = "cuda-graph";
    const auto order = roundOrder(plan, 0);
    EXPECT_THAT(std::vector(order.begin(), order.begin() + 2), testing::ElementsAre(2, 4));
}

// Over 6000 rounds each of three cells is first, second and third equally often: standard deviation
// of a count is 36.5.
TEST(RoundOrder, FavoursNoPlace)
{
    const Plan plan = planOf(3, 11);
    std::vector<int> counts(9, 0);
    for (int round = 0; round < 6000; ++round) {
        const auto order = roundOrder(plan, round);
        for (std::size_t place = 0; place < 3; ++place)
            ++counts[place * 3 + order[place]];
    }
    for (const int count : counts)
        EXPECT_NEAR(count, 2000, 5 * 37);
}

}  // namespace
}  // namespace qs::core
