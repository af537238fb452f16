#include "core/analysis/cost.h"

namespace qs::core {

namespace {

constexpr double kMillion = 1e6;

}  // namespace

void fillCosts(const Price& price, const RunFigures& figures, std::vector<CellSummary>& cells)
{
    if (price.empty())
        return;
    for (CellSummary& cell : cells) {
        const std::vector<RowFigures>& rows = figures.ofCell(cell.cellId);
        if (rows.empty())
            continue;
        double seconds = 0.0;
        for (const RowFigures& row : rows)
            seconds += row.durationSeconds;
        cell.cost.emplace().run = price.of(seconds);
        // Inputs that come from the host are paid for with their way.
        const double throughput = cell.endToEndThroughput().value_or(cell.throughput);
        if (cell.measured && throughput > 0.0)
            cell.cost->perMillionUnits = price.of(kMillion / throughput);
    }
}

std::optional<double> costOfRun(const Price& price, const Analysis& analysis)
{
    return price.empty() ? std::nullopt : std::optional(price.of(analysis.rows.seconds));
}

}  // namespace qs::core
