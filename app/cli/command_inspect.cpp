#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/excerpt.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/graph/cost.h"
#include "core/model/catalogue.h"
#include "core/model/family_registry.h"
#include "core/quant/recipe.h"
#include "core/run/program_paths.h"
#include "core/sweep/cell_member.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <variant>

namespace qs::app {

namespace {

// Of one pass with all runs of each stage.
core::Result<std::vector<core::Cost>> stageCosts(const core::Model& model,
                                                 const core::ShapePoint& shape)
{
    std::vector<core::Cost> costs;
    for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
        QS_TRY(const core::Graph graph,
               model.family->buildStage(stage, shape, core::DType::BFloat16));
        core::Cost cost = core::costOf(graph);
        const auto runs = static_cast<double>(model.family->runsPerPass(stage, shape));
        cost.matmulFlops *= runs;
        cost.attentionFlops *= runs;
        costs.push_back(cost);
    }
    return costs;
}

// "tokens (int64 0 … 511)", "image"
std::string inputText(const core::InputSpec& input)
{
    if (!input.whole)
        return input.name;
    return fmt::format("{} (int64 {} … {})", input.name, input.lowest, input.highest);
}

void printWorkload(const core::Model& model, const core::ShapePoint& shape)
{
    const core::Workload& workload = model.family->workload();
    std::string inputs;
    for (const core::InputSpec& input : workload.inputs)
        inputs += (inputs.empty() ? "" : ", ") + inputText(input);
    std::string outputs;
    for (const core::OutputSpec& output : workload.outputs)
        outputs +=
            fmt::format("{}{} ({}{})", outputs.empty() ? "" : ", ", output.name,
                        core::name(output.kind), output.name == workload.judged ? ", judged" : "");
    say("inputs         {}\noutputs        {}\n", inputs, outputs);
    say("work           {} {}(s) per pass, {}\n", model.family->unitsPerPass(shape),
        core::name(workload.unit), core::name(workload.driver));
}

void printStages(const core::Model& model, const core::ShapePoint& shape,
                 const std::vector<core::Cost>& costs, const core::Recipe& recipe)
{
    double total = 0.0;
    for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
        const core::Cost& cost = costs[stage];
        total += cost.flops();
        say("stage {:<8} {:>14} parameters  {:>4} tensors  {} ({:.1f} % attention)\n",
            model.family->stages()[stage].name, core::formatGrouped(model.parameterCount(stage)),
            model.family->stages()[stage].weights.size(), core::formatFlops(cost.flops()),
            cost.flops() > 0.0 ? 100.0 * cost.attentionFlops / cost.flops() : 0.0);
    }
    say("total          {:>14} parameters  {} per pass of batch {} at {}\n",
        core::formatGrouped(model.parameterCount()), core::formatFlops(total), shape.batch,
        core::sizesText(shape.sizes));
    say("weights        {} with this precision\n",
        core::formatBytes(static_cast<double>(core::residentWeightBytes(*model.family, recipe))));
}

// Of the files of weights; nothing if they are generated.
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

// What lies on disk, beside what would lie in memory.
void printFiles(const core::Model& model)
{
    const auto* stored = std::get_if<core::StoredWeights>(&model.weights);
    if (stored == nullptr)
        return;
    say("on disk        {} in {} {}\n",
        core::formatBytes(static_cast<double>(bytesOnDisk(model).value_or(0))),
        stored->files.size(), stored->files.size() == 1 ? "file" : "files");
}

void printLayers(const core::Model& model, const core::Recipe& recipe, bool all)
{
    const auto rows = core::layerTable(*model.family, recipe);
    std::int64_t matched = 0;
    std::int64_t parameters = 0;
    std::int64_t matchedParameters = 0;
    for (const core::LayerRow& row : rows) {
        matched += row.matched ? 1 : 0;
        parameters += row.parameters;
        matchedParameters += row.matched ? row.parameters : 0;
        if (all)
            say("  {:<8} {:<40} [{}, {}] {:<16} {}\n", model.family->stages()[row.stage].name,
                row.module, row.outFeatures, row.inFeatures, row.scheme.text(),
                row.matched ? "matched" : "skipped: " + row.reason);
    }
    say("layers         {} of {} layers matched, {:.2f} % of their parameters\n", matched,
        rows.size(),
        parameters > 0
            ? 100.0 * static_cast<double>(matchedParameters) / static_cast<double>(parameters)
            : 0.0);
}

core::Json stagesJson(const core::Model& model, const std::vector<core::Cost>& costs)
{
    core::Json stages = core::Json::array();
    for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
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

// Names carry their units, as in reports.
void printJson(const core::OpenedModel& opened, const InspectCommand& command,
               const core::ShapePoint& shape, const std::vector<core::Cost>& costs,
               const core::Recipe& recipe)
{
    core::Json sizes = core::Json::object();
    for (const core::NamedSize& size : shape.sizes)
        sizes[size.name] = size.value;
    const core::Model& model = opened.model;
    const auto onDisk = bytesOnDisk(model);
    const core::Json json{
        {"model", command.model},
        {"name", model.displayName},
        {"variant", model.variant},
        {"identity", model.contentId},
        {"trained_weights", model.trained()},
        {"load_report", opened.report.text()},
        {"batch", command.batch},
        {"sizes", sizes},
        {"unit_of_work", core::name(model.family->workload().unit)},
        {"units_per_pass", model.family->unitsPerPass(shape)},
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
    sayLine(core::jsonText(json, 2));
}

// The usual sizes of the model, and those that were asked for.
core::Result<core::ShapePoint> shapeOf(const InspectCommand& command,
                                       const core::ModelFamily& family)
{
    core::CellConfig cell;
    cell.sizes = {};
    for (const std::string& text : command.sizes) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (equals == std::string::npos || family.workload().findSize(name) == nullptr)
            return core::Error{core::ErrorCode::InvalidArgument,
                               "\"" + core::excerpt(text) + "\" is no size of this model"};
        QS_RETURN_IF_ERROR(core::setMember(cell, name, text.substr(equals + 1)));
    }
    core::ShapePoint shape{command.batch, family.workload().completed(cell.sizes)};
    QS_RETURN_IF_ERROR(family.checkShape(shape));
    return shape;
}

}  // namespace

int inspectCommand(const InspectCommand& command)
{
    const auto fail = [](const core::Error& error) {
        complain(error.message);
        return exitCodeOf(error);
    };
    const auto opened =
        core::openModel(command.model, core::locatePrograms().resources, command.seed);
    if (!opened.ok())
        return fail(opened.error());
    const core::Model& model = opened.value().model;
    const auto shape = shapeOf(command, *model.family);
    if (!shape.ok())
        return fail(shape.error());
    const auto costs = stageCosts(model, shape.value());
    if (!costs.ok())
        return fail(costs.error());
    const auto recipe =
        core::makeRecipe(*model.family, core::splitAt(command.precision, '/'), command.layers);
    if (!recipe.ok())
        return fail(recipe.error());
    if (command.json) {
        printJson(opened.value(), command, shape.value(), costs.value(), recipe.value());
        return kExitOk;
    }
    say("{}\n{}\nvariant        {}\nidentity       {}\n", model.displayName,
        opened.value().report.text(), model.variant, model.contentId);
    printWorkload(model, shape.value());
    printStages(model, shape.value(), costs.value(), recipe.value());
    printFiles(model);
    printLayers(model, recipe.value(), command.allLayers);
    return kExitOk;
}

}  // namespace qs::app
