#include "core/measure/script_conversion.h"

#include <limits>

namespace qs::core {

namespace {

constexpr std::int64_t kMostWhole = std::numeric_limits<std::int64_t>::max();
constexpr double kMostNumber = std::numeric_limits<double>::max();

}  // namespace

Json toJson(const ConversionRequest& request)
{
    std::vector<std::string> inputs;
    for (const DeclaredInput& input : request.inputs)
        inputs.push_back(toText(input));
    return {{"program", request.program},
            {"sha256", request.sha256},
            {"inputs", inputs},
            {"archive", request.archive}};
}

Result<ConversionRequest> conversionRequestFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$conversion", issues);
    ConversionRequest request;
    request.program = fields.text("program");
    request.sha256 = fields.text("sha256");
    for (const std::string& text : fields.textList("inputs")) {
        auto input = parseDeclaredInput(text);
        if (input.ok())
            request.inputs.push_back(std::move(input.value()));
        else
            fields.complain("inputs", input.error().message);
    }
    request.archive = fields.text("archive");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return request;
}

Json toJson(const ConversionResult& result)
{
    return {{"operations", result.operations},  {"parameters", result.parameters},
            {"fixed_batch", result.fixedBatch}, {"relative_difference", result.relativeDifference},
            {"files_shut", result.filesShut},   {"network_shut", result.networkShut},
            {"outputs", result.outputs},        {"lowest_batch", result.lowestBatch}};
}

Result<ConversionResult> conversionResultFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$converted", issues);
    ConversionResult result;
    result.operations = fields.integer("operations", 0, 0, kMostWhole);
    result.parameters = fields.integer("parameters", 0, 0, kMostWhole);
    result.fixedBatch = fields.text("fixed_batch");
    result.relativeDifference = fields.number("relative_difference", 0.0, 0.0, kMostNumber);
    result.filesShut = fields.flag("files_shut", false);
    result.networkShut = fields.flag("network_shut", false);
    result.outputs = fields.textList("outputs");
    result.lowestBatch = fields.integer("lowest_batch", 1, 1, kMostWhole);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return result;
}

}  // namespace qs::core
