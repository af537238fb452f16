#include "core/analysis/speed_ratio.h"

#include "core/analysis/cell_summary.h"
#include "core/analysis/round_pairs.h"
#include "core/analysis/speed_baseline.h"

#include <optional>

namespace qs::core {

namespace {

// Of a cell to its baseline; nothing if that is another one, or the cell itself.
std::optional<Estimate> speedupOver(const CellSummary& other, const CellSummary& cell)
{
    if (cell.baselineId != other.cellId || !cell.speedup || !cell.claim)
        return std::nullopt;
    return Estimate{.value = *cell.speedup,
                    .interval = cell.speedupInterval,
                    .count = cell.claim->evidence.ratio.count};
}

}  // namespace

Estimate speedRatio(const CellSummary& other, const CellSummary& cell)
{
    if (const auto speedup = speedupOver(other, cell))
        return *speedup;
    if (auto slowdown = speedupOver(cell, other)) {
        slowdown->value = 1.0 / slowdown->value;
        if (slowdown->interval)
            slowdown->interval = inverted(*slowdown->interval);
        return *slowdown;
    }
    const SharedSeconds shared = sharedSeconds(other, cell);
    if (shared.first.empty())
        return {};
    Estimate ratio = pairedRatio(shared.first, shared.second);
    if (ratio.count < kRoundsForInterval)
        ratio.interval.reset();
    return ratio;
}

}  // namespace qs::core
