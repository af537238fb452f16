#include "core/analysis/cost.h"

#include <unordered_map>

namespace qs::core {

namespace {

constexpr double kMillion = 1e6;

}  // namespace

void fillCosts(const RunData& data, std::vector<CellSummary>& cells)
{
    const Price& price = data.plan.preset.price;
    if (price.empty())
        return;
    std::unordered_map<std::string, double> seconds;
    for (const Measurement& row : data.measurements)
        seconds[row.cellId] += row.durationSeconds;
    for (CellSummary& cell : cells) {
        const auto found = seconds.find(cell.cellId);
        if (found == seconds.end())
            continue;
        cell.cost.emplace().run = price.of(found->second);
        // Pictures that come from the host are paid for with their way.
        const double throughput = cell.endToEndThroughput().value_or(cell.throughput);
        if (cell.measured && throughput > 0.0)
            cell.cost->perMillionPictures = price.of(kMillion / throughput);
    }
}

std::optional<double> costOfRun(const RunData& data)
{
    const Price& price = data.plan.preset.price;
    if (price.empty())
        return std::nullopt;
    double seconds = 0.0;
    for (const Measurement& row : data.measurements)
        seconds += row.durationSeconds;
    return price.of(seconds);
}

}  // namespace qs::core
