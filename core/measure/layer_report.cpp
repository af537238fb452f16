#include "core/measure/layer_report.h"

#include "core/base/json_list.h"
#include "core/base/schema_version.h"
#include "core/measure/record_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr int kSchemaVersion = 1;
constexpr std::int64_t kMostLayerBytes = std::int64_t{1} << 50U;
// A hundred thousand layers.
constexpr JsonLimits kLimits{.bytes = std::size_t{64} << 20U, .depth = 8, .nodes = 4'000'000};

Json numberOrNull(const std::optional<double>& value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

std::optional<double> optionalNumber(JsonFields& fields, std::string_view name)
{
    const JsonView* member = fields.member(name);
    if (member == nullptr || member->isNull())
        return std::nullopt;
    return fields.number(name, 0.0, 0.0, kLargestFigure);
}

void addSolving(const ReportedLayer& layer, Json& json)
{
    if (layer.solverLoss)
        json["solver_loss"] = numberOrNull(layer.solverLoss);
    if (layer.solverSeconds)
        json["solver_seconds"] = numberOrNull(layer.solverSeconds);
    if (layer.deadColumns)
        json["dead_columns"] = *layer.deadColumns;
    if (layer.roundedToNearest)
        json["rounded_to_nearest"] = *layer.roundedToNearest;
}

void readSolving(JsonFields& fields, ReportedLayer& layer)
{
    layer.solverLoss = optionalNumber(fields, "solver_loss");
    layer.solverSeconds = optionalNumber(fields, "solver_seconds");
    if (fields.has("dead_columns"))
        layer.deadColumns = fields.integer("dead_columns", 0, 0, kMostLayerBytes);
    if (fields.has("rounded_to_nearest"))
        layer.roundedToNearest = fields.flag("rounded_to_nearest", false);
}

void addExecuted(const ReportedLayer& layer, Json& json)
{
    if (!layer.executed.empty())
        json["executed_precision"] = layer.executed;
    if (layer.mismatch)
        json["mismatch"] = true;
    if (!layer.fused.empty())
        json["fused"] = toJson(layer.fused);
}

Json toJson(const ReportedLayer& layer)
{
    Json json{{"stage", layer.stage},
              {"module", layer.module},
              {"scheme", layer.scheme},
              {"weight_shape", layer.weightShape},
              {"bytes_before", layer.bytesBefore},
              {"bytes_after", layer.bytesAfter},
              {"scale",
               {{"least", layer.scale.least},
                {"median", layer.scale.median},
                {"most", layer.scale.most},
                {"count", layer.scale.count}}},
              {"codes", layer.codes},
              {"saturated", layer.saturated},
              {"underflown", layer.underflown},
              {"weight_error", numberOrNull(layer.weightError)},
              {"local_error", numberOrNull(layer.localError)},
              {"cumulative_error", numberOrNull(layer.cumulativeError)}};
    addSolving(layer, json);
    addExecuted(layer, json);
    return json;
}

std::vector<std::int64_t> readShape(JsonFields& fields)
{
    std::vector<std::int64_t> shape;
    const JsonView* list = fields.requiredMember("weight_shape");
    if (list == nullptr)
        return shape;
    list->forEachItem([&](const JsonView& each) {
        const auto extent = each.wholeNumber();
        if (!extent || *extent < 0 || *extent > kMostLayerBytes)
            fields.complain("weight_shape", "expected whole numbers");
        shape.push_back(extent.value_or(0));
    });
    return shape;
}

ReportedLayer readLayer(JsonFields& fields, std::vector<JsonIssue>& issues)
{
    ReportedLayer layer;
    layer.stage = fields.text("stage");
    layer.module = fields.text("module");
    layer.scheme = fields.text("scheme");
    layer.weightShape = readShape(fields);
    layer.bytesBefore = fields.integer("bytes_before", 0, 0, kMostLayerBytes);
    layer.bytesAfter = fields.integer("bytes_after", 0, 0, kMostLayerBytes);
    if (const JsonView* member = fields.requiredMember("scale")) {
        JsonFields scale(*member, fields.pathOf("scale"), issues);
        layer.scale.least = scale.number("least", 0.0, -kLargestFigure, kLargestFigure);
        layer.scale.median = scale.number("median", 0.0, -kLargestFigure, kLargestFigure);
        layer.scale.most = scale.number("most", 0.0, -kLargestFigure, kLargestFigure);
        layer.scale.count = scale.integer("count", 0, 0, kMostLayerBytes);
        scale.finish();
    }
    layer.codes = fields.integer("codes", 0, 0, kMostLayerBytes);
    layer.saturated = fields.integer("saturated", 0, 0, kMostLayerBytes);
    layer.underflown = fields.integer("underflown", 0, 0, kMostLayerBytes);
    layer.weightError = optionalNumber(fields, "weight_error");
    layer.localError = optionalNumber(fields, "local_error");
    layer.cumulativeError = optionalNumber(fields, "cumulative_error");
    readSolving(fields, layer);
    layer.executed = fields.text("executed_precision");
    layer.mismatch = fields.flag("mismatch", false);
    layer.fused = fusedFromJson(fields, issues);
    return layer;
}

void noteExecuted(const ExecutedStage& stage, ReportedLayer& layer)
{
    const auto& strays = stage.strays;
    const auto found = std::find_if(strays.begin(), strays.end(), [&](const StrayLayers& each) {
        return each.module == layer.module;
    });
    if (found != strays.end()) {
        layer.mismatch = true;
        layer.executed = found->operation.empty() ? std::string() : std::string(name(found->type));
        return;
    }
    const bool anyMayStray = std::any_of(
        strays.begin(), strays.end(), [](const StrayLayers& each) { return each.module.empty(); });
    if (layer.executed.empty() && !layer.mismatch && !anyMayStray)
        layer.executed = layer.scheme;
}

}  // namespace

void noteExecuted(const std::vector<ExecutedStage>& stages, LayerReport& report)
{
    for (ReportedLayer& layer : report.layers) {
        for (const ExecutedStage& stage : stages) {
            if (stage.stage == layer.stage)
                noteExecuted(stage, layer);
        }
    }
}

Json toJson(const LayerReport& report)
{
    Json layers = Json::array();
    for (const ReportedLayer& layer : report.layers)
        layers.push_back(toJson(layer));
    return {{"schema_version", kSchemaVersion},
            {"samples", report.samples},
            {"seconds", report.seconds},
            {"layers", std::move(layers)}};
}

Result<LayerReport> layerReportFromJson(const Json& json)
{
    QS_RETURN_IF_ERROR(checkSchemaVersion(json, kSchemaVersion));
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    LayerReport report;
    static_cast<void>(fields.has("schema_version"));
    report.samples = fields.integer("samples", 0, 0, kMostSamples);
    report.seconds = fields.number("seconds", 0.0, 0.0, kLongestSeconds);
    forEachObject(fields, "layers", issues, report.layers,
                  [&](JsonFields& each) { report.layers.push_back(readLayer(each, issues)); });
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return report;
}

Result<LayerReport> readLayerReport(const FilePlace& place)
{
    QS_TRY(const Json json, readJsonFile(place, kLimits));
    return layerReportFromJson(json);
}

}  // namespace qs::core
