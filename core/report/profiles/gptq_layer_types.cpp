#include "core/report/profiles/gptq_layer_types.h"

#include "core/sweep/cell_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kLayerTypesMeaning =
    "Time to solve a layer by its type, the second moments of its inputs included: layers of the "
    "model, mean time of one, time of all, mean loss, and how many times as fast as the straight "
    "way of the same scheme. It is part of the time that stands under calibrating.";

// Mean seconds of that type of layer; 0 where there are none.
double secondsOfType(const GptqCell* cell, const std::string& type)
{
    if (cell == nullptr)
        return 0.0;
    const auto found = cell->layers.find(type);
    return found == cell->layers.end() ? 0.0 : found->second.seconds.mean();
}

bool anyQuantizes(const Analysis& analysis)
{
    return std::any_of(
        analysis.cells.begin(), analysis.cells.end(),
        [](const CellSummary& summary) { return isQuantizing(summary.cell->config); });
}

}  // namespace

PlainTable layerTypesTable(const GptqScenario& scenario, const std::string& first,
                           const std::function<std::string(const GptqCell& cell)>& nameOf)
{
    PlainTable table{
        {first, "Layer type", "Layers", "Mean time", "Mean loss", "Speedup", "Total time"}, {}};
    for (const GptqCell& cell : scenario.cells) {
        for (const auto& [type, figure] : cell.layers) {
            const double mean = figure.seconds.mean();
            const double before = secondsOfType(scenario.baseline(), type);
            const bool compared = before > 0.0 && &cell != scenario.baseline();
            const std::size_t layers = figure.seconds.count() / cell.models;
            table.lines.push_back({nameOf(cell), type, std::to_string(layers),
                                   fmt::format("{:.4g} s", mean),
                                   fmt::format("{:.4g}", figure.loss.mean()),
                                   compared ? fmt::format("{:.3g}x", before / mean) : "–",
                                   fmt::format("{:.4g} s", mean * static_cast<double>(layers))});
        }
    }
    return table;
}

TableSection layerTypesSection(const RunData& data, const Analysis& analysis)
{
    TableSection section{"layer-types", "Layers by type", kLayerTypesMeaning, {}};
    if (!anyQuantizes(analysis))
        return section;
    // Rows that cannot be read again are an error of the tables of rows.
    const auto scenarios = gptqScenarios(data, analysis);
    if (!scenarios.ok())
        return section;
    for (const GptqScenario& scenario : scenarios.value()) {
        if (scenario.answers)
            continue;
        PlainTable table = layerTypesTable(scenario, "Cell", [&](const GptqCell& cell) {
            return analysis.labels.of(*cell.summary->cell);
        });
        section.table.head = std::move(table.head);
        std::move(table.lines.begin(), table.lines.end(), std::back_inserter(section.table.lines));
    }
    return section;
}

}  // namespace qs::core
