#include "core/sweep/plan.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace qs::core {

namespace {

// splitmix64 (Steele, Lea, Flood 2014). An own generator, because what the standard library
// shuffles is not the same everywhere, and a resumed run must continue in the order it began with.
class SplitMix64 final
{
public:
    explicit SplitMix64(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15U;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }

    // Uniform in 0 … bound - 1: values of the incomplete last stretch of 2^64 are drawn again.
    std::uint64_t below(std::uint64_t bound)
    {
        const std::uint64_t unfair = (0U - bound) % bound;  // 2^64 mod bound
        std::uint64_t value = next();
        while (value < unfair)
            value = next();
        return value % bound;
    }

private:
    std::uint64_t m_state;
};

// Of the cells that no earlier round has measured, quality references come first, then golden runs.
int turnOf(const Plan& plan, const PlannedCell& cell, int round)
{
    constexpr int kLast = 2;
    if (cell.id.empty() || (round > 0 && plan.hasRound(cell, round - 1)))
        return kLast;
    return cell.referenceId == cell.id ? 0 : isGoldenRun(cell) ? 1 : kLast;
}

}  // namespace

std::vector<std::size_t> roundOrder(const Plan& plan, int round)
{
    // The seed is mixed before the round is added: seed 1 round 2 is not seed 2 round 1.
    SplitMix64 seeds(static_cast<std::uint64_t>(plan.preset.orderSeed));
    SplitMix64 random(seeds.next() + static_cast<std::uint64_t>(round));
    // Only cells of this round: those appended later leave the order as it was.
    std::vector<std::size_t> order;
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
        if (plan.hasRound(plan.cells[cell], round))
            order.push_back(cell);
    }
    for (std::size_t left = order.size(); left > 1; --left)  // Fisher-Yates
        std::swap(order[left - 1], order[random.below(left)]);
    // In their order: which of them comes first is as random as before.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return turnOf(plan, plan.cells[a], round) < turnOf(plan, plan.cells[b], round);
    });
    return order;
}

}  // namespace qs::core
