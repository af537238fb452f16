#include "widgets/model/measured_layers.h"

#include "core/measure/fused_layers.h"
#include "core/record/layer_reports.h"
#include "core/sweep/cell_member.h"

namespace qs::widgets {

std::optional<core::LayerReport> measuredLayers(const core::RunData& data,
                                                const WantedLayers& wanted)
{
    if (data.folder.empty())
        return std::nullopt;
    for (const core::PlannedCell& cell : data.plan.cells) {
        const core::CellConfig& config = cell.config;
        if (config.layers != wanted.layers || config.model != wanted.model ||
            core::memberText(config, "precision") != wanted.precision)
            continue;
        for (const std::string& place : core::layerReportPlaces(data, cell)) {
            auto report = core::readLayerReport(core::layerReportFile(data.folder, place));
            if (!report.ok())
                continue;
            for (const core::Measurement& row : data.measurements) {
                if (!core::haveSameLayers(row.config, config))
                    continue;
                core::noteExecuted(row.result.executed, report.value());
                core::noteFused(row.result.compiles, row.result.notes, report.value());
            }
            return std::move(report).value();
        }
    }
    return std::nullopt;
}

}  // namespace qs::widgets
