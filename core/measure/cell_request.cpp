#include "core/measure/cell_request.h"

#include <nlohmann/json.hpp>

namespace qs::core {

Json measurementToJson(const MeasurementSettings& settings)
{
    Json limits = Json::object();
    for (const auto& [phase, seconds] : settings.phaseLimitSeconds)
        limits[phase] = seconds;
    return {{"minimum_warmup_s", settings.minimumWarmupSeconds},
            {"maximum_warmup_s", settings.maximumWarmupSeconds},
            {"minimum_sample_s", settings.minimumSampleSeconds},
            {"maximum_sample_s", settings.maximumSampleSeconds},
            {"minimum_samples", settings.minimumSamples},
            {"maximum_samples", settings.maximumSamples},
            {"maximum_relative_noise", settings.maximumRelativeNoise},
            {"phase_limits_s", std::move(limits)}};
}

namespace {

MeasurementSettings measurementFromJson(const Json& json, std::vector<JsonIssue>& issues)
{
    MeasurementSettings settings;
    JsonFields fields(json, "$request.measurement", issues);
    const auto seconds = [&](std::string_view name, double fallback) {
        return fields.number(name, fallback, 0.0, 1e6);
    };
    settings.minimumWarmupSeconds = seconds("minimum_warmup_s", settings.minimumWarmupSeconds);
    settings.maximumWarmupSeconds = seconds("maximum_warmup_s", settings.maximumWarmupSeconds);
    settings.minimumSampleSeconds = seconds("minimum_sample_s", settings.minimumSampleSeconds);
    settings.maximumSampleSeconds = seconds("maximum_sample_s", settings.maximumSampleSeconds);
    settings.minimumSamples =
        static_cast<int>(fields.integer("minimum_samples", settings.minimumSamples, 1, 1'000'000));
    settings.maximumSamples =
        static_cast<int>(fields.integer("maximum_samples", settings.maximumSamples, 1, 1'000'000));
    settings.maximumRelativeNoise =
        fields.number("maximum_relative_noise", settings.maximumRelativeNoise, 0.0, 1.0);
    if (const Json* limits = fields.find("phase_limits_s"); limits != nullptr) {
        for (const auto& [phase, value] : limits->items()) {
            if (value.is_number())
                settings.phaseLimitSeconds[phase] = value.get<double>();
        }
    }
    fields.finish();
    return settings;
}

} // namespace

Json toJson(const CellRequest& request)
{
    return {{"config", toJson(request.config)},
            {"measurement", measurementToJson(request.measurement)},
            {"resource_folder", request.resourceFolder},
            {"input_file", request.inputFile},
            {"output_folder", request.outputFolder},
            {"kept_outputs", request.keptOutputs}};
}

Result<CellRequest> cellRequestFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$request", issues);
    CellRequest request;
    if (const Json* config = fields.require("config"); config != nullptr)
        request.config = cellFromJson(*config, fields.pathOf("config"), issues);
    if (const Json* measurement = fields.require("measurement"); measurement != nullptr)
        request.measurement = measurementFromJson(*measurement, issues);
    request.resourceFolder = fields.text("resource_folder");
    request.inputFile = fields.text("input_file");
    request.outputFolder = fields.text("output_folder");
    request.keptOutputs = static_cast<int>(fields.integer("kept_outputs", 0, 0, 100'000));
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return request;
}

} // namespace qs::core
