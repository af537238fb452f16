#include "core/report/csv_columns.h"

#include "core/analysis/analysis.h"

#include <algorithm>

namespace qs::core {

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : "; ") + text;
    return all;
}

void addName(std::vector<std::string>& names, const std::string& name)
{
    if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
}

std::vector<std::string> stageColumns(const RowOutline& rows)
{
    std::vector<std::string> names{"encoder", "decoder"};
    for (const std::string& stage : rows.stages)
        addName(names, stage);
    return names;
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

void addConfig(CsvTable& table, const CellConfig& config)
{
    table.text("model", config.model);
    table.text("device", config.device);
    table.text("precision", precisionText(config));
    table.text("layers", config.layers);
    table.text("compile", config.compile);
    table.text("attention", config.attention);
    table.text("inputs", config.inputs);
    table.integer("batch_pictures", config.batch);
    table.integer("image_size_px", config.sizes.find(kImageSize));
    table.integer("seed", config.seed);
}

void addMemory(CsvTable& table, const MemoryFigures& memory, bool measured)
{
    table.integer("allocated_peak_bytes", memory.allocatedPeak);
    table.integer("reserved_peak_bytes", memory.reservedPeak);
    table.integer("process_peak_bytes", memory.processPeak);
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
