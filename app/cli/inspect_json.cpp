#include "app/cli/inspect_json.h"

#include "core/model/catalogue.h"
#include "core/run/program_paths.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <variant>

namespace qs::app {

std::optional<std::uintmax_t> bytesOnDisk(const core::Model& model)
{
    const auto* stored = std::get_if<core::StoredWeights>(&model.weights);
    if (stored == nullptr)
        return std::nullopt;
    std::uintmax_t bytes = 0;
    for (const std::filesystem::path& file : stored->files) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(file, error);
        bytes += error ? 0 : size;
    }
    return bytes;
}

namespace {

// Nothing is known of what a compiled program does inside: no figure instead of 0.
core::Json programJson(const core::StageInfo& stage)
{
    const core::PackagedProgram& program = *stage.program;
    core::Json json{{"sha256", program.sha256},
                    {"device", program.device == core::ProgramDevice::Cuda ? "cuda" : "cpu"},
                    {"compute_capability", nullptr}};
    if (program.computeMajor > 0)
        json["compute_capability"] =
            std::to_string(program.computeMajor) + "." + std::to_string(program.computeMinor);
    return {{"name", stage.name}, {"parameters", nullptr},
            {"tensors", nullptr}, {"flop_per_pass", nullptr},
            {"program", json},    {"attention_flop_per_pass", nullptr}};
}

core::Json stagesJson(const core::Model& model, const std::vector<core::Cost>& costs)
{
    core::Json stages = core::Json::array();
    for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
        if (model.family->stages()[stage].program) {
            stages.push_back(programJson(model.family->stages()[stage]));
            continue;
        }
        const core::Cost& cost = costs[stage];
        stages.push_back({{"name", model.family->stages()[stage].name},
                          {"parameters", model.parameterCount(stage)},
                          {"tensors", model.family->stages()[stage].weights.size()},
                          {"flop_per_pass", cost.flops()},
                          {"attention_flop_per_pass", cost.attentionFlops}});
    }
    return stages;
}

core::Json layersJson(const core::Model& model, const core::Recipe& recipe)
{
    core::Json layers = core::Json::array();
    for (const core::LayerRow& row : core::layerTable(*model.family, recipe))
        layers.push_back({{"stage", model.family->stages()[row.stage].name},
                          {"module", row.module},
                          {"out_features", row.outFeatures},
                          {"in_features", row.inFeatures},
                          {"parameters", row.parameters},
                          {"scheme", row.scheme.text()},
                          {"matched", row.matched},
                          {"skipped_because", row.reason},
                          {"bytes_before", row.bytesBefore},
                          {"bytes_after", row.bytesAfter}});
    return layers;
}

core::Json rangeJson(std::int64_t lowest, std::int64_t highest)
{
    return {{"lowest", lowest}, {"highest", highest > 0 ? core::Json(highest) : core::Json()}};
}

// Batch and free sizes, each of which can be an axis.
core::Json axesJson(const core::ModelFamily& family)
{
    const core::Workload& workload = family.workload();
    core::Json batch = rangeJson(workload.batches.lowest, workload.batches.highest);
    batch["name"] = "batch";
    core::Json axes = core::Json::array({std::move(batch)});
    for (const core::SizeSpec& size : workload.sizes) {
        core::Json axis = rangeJson(size.lowest(), size.fixed ? size.fallback : size.largest);
        axis["name"] = size.name;
        axis["description"] = size.description;
        axis["usual"] = size.fallback;
        axes.push_back(std::move(axis));
    }
    return axes;
}

core::Json typeJson(const core::TensorType& type)
{
    return {{"dtype", core::name(type.dtype)}, {"shape", type.shape}};
}

core::Json inputJson(const core::InputSpec& input, const core::TensorType& type)
{
    core::Json json = typeJson(type);
    json["name"] = input.name;
    json["batched"] = input.batched;
    json["whole_numbers"] = input.whole;
    if (input.distribution == core::Distribution::Normal)
        json["generated"] = {{"normal", {{"mean", input.mean}, {"std", input.deviation}}}};
    else
        json["generated"] = {{"uniform", {input.lowest, input.highest}}};
    return json;
}

core::Json outputJson(const core::OutputSpec& output, const core::TensorType& type, bool judged)
{
    core::Json json = typeJson(type);
    json["name"] = output.name;
    json["kind"] = core::name(output.kind);
    json["judged"] = judged;
    return json;
}

// Inputs and outputs as the graphs have them, in float32.
core::Json portsJson(const core::ModelFamily& family, const core::ShapePoint& shape)
{
    const core::Workload& workload = family.workload();
    core::Json inputs = core::Json::array();
    core::Json outputs = core::Json::array();
    for (std::size_t stage = 0; stage < family.stages().size(); ++stage) {
        const auto graph = family.buildStage(stage, shape, core::DType::Float32);
        if (!graph.ok())
            continue;
        for (const core::InputSpec& input : workload.inputs) {
            const core::ValueId id = graph.value().findValue(input.name);
            if (id >= 0 && graph.value().value(id).kind == core::ValueKind::Input)
                inputs.push_back(inputJson(input, graph.value().value(id).type));
        }
        for (const core::ValueId id : graph.value().outputs) {
            const core::Value& value = graph.value().value(id);
            for (const core::OutputSpec& output : workload.outputs) {
                if (output.name == value.name)
                    outputs.push_back(
                        outputJson(output, value.type, output.name == workload.judged));
            }
        }
    }
    return {{"inputs", std::move(inputs)}, {"outputs", std::move(outputs)}};
}

core::Json unsupportedJson(const core::LoadReport& report)
{
    core::Json list = core::Json::array();
    for (const core::UnsupportedCall& each : report.unsupported)
        list.push_back({{"operation", each.operation},
                        {"module", each.module},
                        {"calls", each.calls},
                        {"data_dependent", each.dataDependent}});
    return list;
}

// What was found when the file was opened.
core::Json reportJson(const InspectCommand& command, const core::LoadReport& report)
{
    return {{"model", command.model},
            {"family", core::familyOf(command.model, core::locatePrograms().resources)},
            {"recognised", report.recognised},
            {"stored_types", report.storedTypes},
            {"missing_tensors", report.missing},
            {"unexpected_tensors", report.unexpected},
            {"misshaped_tensors", report.misshaped},
            {"unsupported_operations", unsupportedJson(report)},
            {"advice", report.advice},
            {"load_report", report.text()}};
}

}  // namespace

// Names carry their units, as in reports.
core::Json inspectionJson(const core::OpenedModel& opened, const InspectCommand& command,
                          const core::ShapePoint& shape, const std::vector<core::Cost>& costs,
                          const core::Recipe& recipe)
{
    core::Json sizes = core::Json::object();
    for (const core::NamedSize& size : shape.sizes)
        sizes[size.name] = size.value;
    const core::Model& model = opened.model;
    const auto onDisk = bytesOnDisk(model);
    core::Json json{{"usable", true},
                    {"axes", axesJson(*model.family)},
                    {"name", model.displayName},
                    {"variant", model.variant},
                    {"identity", model.contentId},
                    {"trained_weights", model.trained()},
                    {"outputs_mean_something", model.outputsMeanSomething()},
                    {"batch", shape.batch},
                    {"sizes", sizes},
                    {"unit_of_work", core::name(model.family->workload().unit)},
                    {"units_per_pass", model.family->workload().unitsPerPass(shape)},
                    {"driver", core::name(model.family->workload().driver)},
                    {"judged_output", model.family->workload().judged},
                    {"kind_of_output", core::name(model.family->workload().judgedOutput().kind)},
                    {"precision", command.precision},
                    {"layer_filter", command.layers},
                    {"parameters", model.parameterCount()},
                    {"stages", stagesJson(model, costs)},
                    {"weights_resident_bytes", core::residentWeightBytes(*model.family, recipe)},
                    {"weights_file_bytes", onDisk ? core::Json(*onDisk) : core::Json()},
                    {"layers", layersJson(model, recipe)}};
    if (model.family->stages().front().program) {
        json["precision"] = core::kAsPackaged;
        json["parameters"] = json["weights_resident_bytes"] = json["layers"] = nullptr;
    }
    json.update(reportJson(command, opened.report));
    json.update(portsJson(*model.family, shape));
    return json;
}

core::Json refusalJson(const InspectCommand& command, const core::ModelInspection& inspection)
{
    core::Json json = reportJson(command, inspection.report);
    json["usable"] = false;
    json["name"] = inspection.displayName;
    json["error"] = inspection.status.error().message;
    json["choices"] = core::Json::array();
    for (const std::filesystem::path& choice : inspection.choices)
        json["choices"].push_back(choice.string());
    json["file_bytes"] = inspection.fileBytes;
    if (inspection.program)
        json["program"] = {{"kind", inspection.program->kind == core::ProgramKind::Package
                                        ? "package"
                                        : "torchscript"},
                           {"text", inspection.program->text},
                           {"inputs", inspection.program->inputs}};
    return json;
}

}  // namespace qs::app
