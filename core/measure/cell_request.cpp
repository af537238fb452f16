#include "core/measure/cell_request.h"

#include "core/measure/record_limits.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/measurement_settings.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

void readCompiler(JsonFields& fields, CellRequest& request)
{
    const Json* compiler = fields.find("compiler");
    if (compiler == nullptr)
        return;
    for (const auto& [name, version] : compiler->items()) {
        if (version.is_string())
            request.compiler[name] = version.get<std::string>();
        else
            fields.complain("compiler", "expected versions as texts");
    }
}

}  // namespace

Json toJson(const CellRequest& request)
{
    return {{"config", toJson(request.config)},
            {"measurement", toJson(request.measurement)},
            {"resource_folder", request.resourceFolder},
            {"cache_folder", request.cacheFolder},
            {"run_folder", request.runFolder},
            {"input_file", request.inputFile},
            {"output_folder", request.outputFolder},
            {"kept_outputs", request.keptOutputs},
            {"model_io", toJson(request.feeding)},
            {"calibration", toJson(request.calibration)},
            {"calibration_folder", request.calibrationFolder},
            {"report_layers", request.reportLayers},
            {"profile", request.profile},
            {"bf16_from_fp32", request.bf16FromFp32 ? Json(*request.bf16FromFp32) : Json()},
            {"compiler", request.compiler},
            {"checkpoint", request.checkpoint ? kCheckpointFormats.of(*request.checkpoint) : ""},
            {"trusted_program", request.trustedProgram},
            {"private_folder", request.privateFolder}};
}

Result<CellRequest> cellRequestFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$request", issues);
    CellRequest request;
    if (const Json* config = fields.require("config"); config != nullptr)
        request.config = cellFromJson(*config, fields.pathOf("config"), issues);
    if (const Json* measurement = fields.require("measurement"); measurement != nullptr)
        request.measurement =
            measurementSettingsFromJson(*measurement, fields.pathOf("measurement"), issues);
    request.resourceFolder = fields.text("resource_folder");
    request.cacheFolder = fields.text("cache_folder");
    request.runFolder = fields.text("run_folder");
    request.inputFile = fields.text("input_file");
    request.outputFolder = fields.text("output_folder");
    if (const Json* feeding = fields.find("model_io"))
        request.feeding = modelFeedingFromJson(*feeding, fields.pathOf("model_io"), issues);
    if (const Json* set = fields.find("calibration"); set != nullptr && !set->empty())
        request.calibration = calibrationInputsFromJson(*set, fields.pathOf("calibration"), issues);
    request.calibrationFolder = fields.text("calibration_folder");
    request.keptOutputs = static_cast<int>(fields.integer("kept_outputs", 0, 0, 100'000));
    request.reportLayers = fields.flag("report_layers", false);
    request.profile = fields.flag("profile", false);
    if (const Json* distance = fields.find("bf16_from_fp32");
        distance != nullptr && !distance->is_null())
        request.bf16FromFp32 = fields.number("bf16_from_fp32", 0.0, 0.0, kLargestFigure);
    readCompiler(fields, request);
    if (const std::string format = fields.text("checkpoint"); !format.empty()) {
        const auto parsed = kCheckpointFormats.parse(format, "checkpoint format");
        if (parsed.ok())
            request.checkpoint = parsed.value();
        else
            fields.complain("checkpoint", parsed.error().message);
    }
    request.trustedProgram = fields.text("trusted_program");
    request.privateFolder = fields.text("private_folder");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return request;
}

}  // namespace qs::core
