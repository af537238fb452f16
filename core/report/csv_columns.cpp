#include "core/report/csv_columns.h"

#include "core/analysis/analysis.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/worker_variables.h"

#include <algorithm>

namespace qs::core {

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : "; ") + text;
    return all;
}

CsvLayout layoutOf(const Plan& plan, const RowOutline& rows)
{
    CsvLayout layout{.stages = rows.stages};
    for (const PlannedCell& cell : plan.cells) {
        for (const NamedSize& size : cell.config.sizes) {
            if (std::find(layout.sizes.begin(), layout.sizes.end(), size.name) ==
                layout.sizes.end())
                layout.sizes.push_back(size.name);
        }
        for (const auto& [axis, value] : cell.config.others)
            layout.others.insert(axis);
        layout.env = layout.env || cell.config.env != kNoVariables;
    }
    return layout;
}

std::optional<double> at(const std::vector<double>& values, std::size_t index)
{
    return index < values.size() ? std::optional(values[index]) : std::nullopt;
}

std::optional<std::int64_t> at(const std::vector<std::optional<std::int64_t>>& values,
                               std::size_t index)
{
    return index < values.size() ? values[index] : std::nullopt;
}

void addConfig(CsvTable& table, const CellConfig& config, const CsvLayout& layout)
{
    table.text("model", config.model);
    table.text("device", config.device);
    table.text("precision", precisionText(config));
    table.text("layers", config.layers);
    table.text("compile", memberWords(*findAxisSpec("compile"), config));
    table.text("attention", config.attention);
    table.text("inputs", config.inputs);
    if (layout.env)
        table.text("env", config.env == kNoVariables ? std::string() : config.env);
    table.integer("batch", config.batch);
    for (const std::string& size : layout.sizes)
        table.integer(size == kImageSize ? size + "_px" : size, config.sizes.find(size));
    table.integer("seed", config.seed);
    for (const std::string& axis : layout.others)
        table.integer(axis, std::stoll(memberText(config, axis)));
}

void addMemory(CsvTable& table, const MemoryFigures& memory, bool measured)
{
    table.integer("load_allocated_peak_bytes", memory.loadAllocatedPeak);
    // These two are never absent in a result, so that zero would look measured.
    const auto known = [&](std::int64_t value) {
        return measured ? std::optional(value) : std::nullopt;
    };
    table.integer("weights_resident_bytes", known(memory.weightsResident));
    table.integer("workspace_bytes", workspaceBytes(memory));
    table.integer("allocation_retries", known(memory.allocationRetries));
}

}  // namespace qs::core
