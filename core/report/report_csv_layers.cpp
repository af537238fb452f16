#include "core/measure/fused_layers.h"
#include "core/measure/layer_report.h"
#include "core/record/layer_reports.h"
#include "core/report/csv_columns.h"
#include "core/report/csv_table.h"
#include "core/report/report.h"
#include "core/report/words/compile_text.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace qs::core {

namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t extent : shape)
        text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
}

// Of several cells that are fused: in the same order.
void addFused(CsvTable& table, const std::vector<FusedProduct>& products)
{
    std::vector<std::string> kernels;
    std::vector<std::string> operations;
    for (const FusedProduct& each : products) {
        kernels.push_back(fusedProductText(each));
        operations.push_back(fmt::format("{}", fmt::join(each.operations, " ")));
    }
    table.text("fused_kernels", joined(kernels));
    table.text("fused_operations", joined(operations));
}

void addLayer(CsvTable& table, const std::string& cell, const ReportedLayer& layer,
              std::int64_t samples)
{
    table.text("cell", cell);
    table.text("stage", layer.stage);
    table.text("layer", layer.module);
    table.text("precision", layer.scheme);
    table.text("weight_shape", shapeText(layer.weightShape));
    table.integer("unquantized_bytes", layer.bytesBefore);
    table.integer("stored_bytes", layer.bytesAfter);
    table.integer("scales", layer.scale.count);
    table.number("scale_minimum", layer.scale.least);
    table.number("scale_median", layer.scale.median);
    table.number("scale_maximum", layer.scale.most);
    table.integer("quantized_values", layer.codes);
    table.integer("saturated_values", layer.saturated);
    table.integer("underflown_values", layer.underflown);
    table.number("weight_error_relative", layer.weightError);
    table.integer("inspected_samples", samples);
    table.number("output_error_local_relative", layer.localError);
    table.number("output_error_cumulative_relative", layer.cumulativeError);
    table.number("solver_loss", layer.solverLoss);
    table.number("solver_seconds", layer.solverSeconds);
    table.integer("dead_columns", layer.deadColumns);
    table.integer("rounded_to_nearest", layer.roundedToNearest);
    table.text("executed_precision", layer.executed);
    table.flag("mismatch", layer.mismatch);
    addFused(table, layer.fused);
}

// Compile modes share a report, and each may have run something else.
void noteOfAll(const Analysis& analysis, const std::string& cellId, LayerReport& report)
{
    const CellSummary* made = analysis.find(cellId);
    for (const CellSummary& summary : analysis.cells) {
        if (made != nullptr && haveSameLayers(summary.cell->config, made->cell->config)) {
            noteExecuted(summary.executed, report);
            noteFused(summary.compileCost ? summary.compileCost->stages
                                          : std::vector<StageCompile>(),
                      summary.notes, report);
        }
    }
}

}  // namespace

Status writeLayersCsv(const RunData& data, const Analysis& analysis, bool formulaSafe,
                      const TextSink& sink)
{
    CsvTable table(formulaSafe);
    addLayer(table, {}, {}, 0);
    table.dropLine();
    QS_RETURN_IF_ERROR(sink(table.take()));
    for (const LayerReportPlace& each : layerReportPlaces(data)) {
        QS_TRY(LayerReport report, readLayerReport(layerReportFile(data.folder, each.place)));
        noteOfAll(analysis, each.cellId, report);
        for (const ReportedLayer& layer : report.layers) {
            addLayer(table, each.place, layer, report.samples);
            table.endLine();
        }
        QS_RETURN_IF_ERROR(sink(table.take()));
    }
    return {};
}

}  // namespace qs::core
