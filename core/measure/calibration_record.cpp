#include "core/measure/calibration_record.h"

#include "core/base/json_list.h"
#include "core/measure/record_limits.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr std::int64_t kMostColumns = std::int64_t{1} << 40U;
constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53U;

Json toJson(const SolvedLayer& layer)
{
    return {{"module", layer.module},
            {"loss", layer.loss},
            {"dead_columns", layer.deadColumns},
            {"rounded_to_nearest", layer.roundedToNearest},
            {"seconds", layer.seconds},
            {"out_features", layer.outFeatures},
            {"in_features", layer.inFeatures}};
}

}  // namespace

Json toJson(const StageCalibration& calibration)
{
    Json layers = Json::array();
    for (const SolvedLayer& layer : calibration.layers)
        layers.push_back(toJson(layer));
    return {{"stage", calibration.stage},
            {"content", calibration.content},
            {"set", calibration.set},
            {"samples", calibration.samples},
            {"seed", calibration.seed},
            {"seconds", calibration.seconds},
            {"from_cache", calibration.fromCache},
            {"layers", std::move(layers)}};
}

std::vector<StageCalibration> calibrationFromJson(JsonFields& parent, std::string_view name,
                                                  std::vector<JsonIssue>& issues)
{
    std::vector<StageCalibration> stages;
    forEachObject(parent, name, issues, stages, [&](JsonFields& fields) {
        StageCalibration stage;
        stage.stage = fields.text("stage");
        stage.content = fields.text("content");
        stage.set = fields.text("set");
        stage.samples = fields.integer("samples", 0, 0, kMostSamples);
        stage.seed = fields.integer("seed", 0, 0, kLargestSeed);
        stage.seconds = fields.number("seconds", 0.0, 0.0, kLongestSeconds);
        stage.fromCache = fields.flag("from_cache", false);
        forEachObject(fields, "layers", issues, stage.layers, [&](JsonFields& each) {
            SolvedLayer layer;
            layer.module = each.text("module");
            layer.loss = each.number("loss", 0.0, 0.0, kLargestFigure);
            layer.deadColumns = each.integer("dead_columns", 0, 0, kMostColumns);
            layer.roundedToNearest = each.flag("rounded_to_nearest", false);
            layer.seconds = each.number("seconds", 0.0, 0.0, kLongestSeconds);
            layer.outFeatures = each.integer("out_features", 0, 0, kMostColumns);
            layer.inFeatures = each.integer("in_features", 0, 0, kMostColumns);
            stage.layers.push_back(std::move(layer));
        });
        stages.push_back(std::move(stage));
    });
    return stages;
}

}  // namespace qs::core
