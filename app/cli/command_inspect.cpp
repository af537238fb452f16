#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/feeding_options.h"
#include "app/cli/inspect_json.h"
#include "app/cli/terminal_text.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/graph/cost.h"
#include "core/model/family_registry.h"
#include "core/model/fed_model.h"
#include "core/quant/checked_model.h"
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

// "tokens int64[1, 64] (0 … 511)", "x float32[1, 3, 224, 224]"
std::string inputText(const core::InputSpec& input, const core::ModelFamily& family,
                      const core::ShapePoint& shape)
{
    std::string text = input.name;
    for (std::size_t stage = 0; stage < family.stages().size(); ++stage) {
        const auto graph = family.buildStage(stage, shape, core::DType::Float32);
        const core::ValueId id = graph.ok() ? graph.value().findValue(input.name) : -1;
        if (id < 0 || graph.value().value(id).kind != core::ValueKind::Input)
            continue;
        text += " " + core::toText(graph.value().value(id).type);
        break;
    }
    return input.whole ? fmt::format("{} ({} … {})", text, input.lowest, input.highest) : text;
}

// "batch 1 … 64, image_size 224"
std::string axesText(const core::Workload& workload)
{
    const auto range = [](std::int64_t lowest, std::int64_t highest) {
        if (highest <= 0)
            return fmt::format("{} …", lowest);  // not known
        return lowest == highest ? fmt::format("{}", lowest)
                                 : fmt::format("{} … {}", lowest, highest);
    };
    std::string text = "batch " + range(workload.batches.lowest, workload.batches.highest);
    for (const core::SizeSpec& size : workload.sizes)
        text += fmt::format(", {} {}", size.name,
                            range(size.lowest(), size.fixed ? size.fallback : size.largest));
    return text;
}

void printWorkload(const core::Model& model, const core::ShapePoint& shape)
{
    const core::Workload& workload = model.family->workload();
    std::string inputs;
    for (const core::InputSpec& input : workload.inputs)
        inputs += (inputs.empty() ? "" : ", ") + inputText(input, *model.family, shape);
    std::string outputs;
    for (const core::OutputSpec& output : workload.outputs)
        outputs +=
            fmt::format("{}{} ({}{})", outputs.empty() ? "" : ", ", output.name,
                        core::name(output.kind), output.name == workload.judged ? ", judged" : "");
    say("inputs         {}\noutputs        {}\n", inputs, outputs);
    say("axes           {}\n", axesText(workload));
    say("work           {} {}(s) per pass, {}\n", model.family->workload().unitsPerPass(shape),
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
    const std::string sizes = core::sizesText(shape.sizes);
    say("total          {:>14} parameters  {} per pass of batch {}{}\n",
        core::formatGrouped(model.parameterCount()), core::formatFlops(total), shape.batch,
        sizes.empty() ? sizes : " at " + sizes);
    say("weights        {} with this precision\n",
        core::formatBytes(static_cast<double>(core::residentWeightBytes(*model.family, recipe))));
}

// All that is known of one.
void printProgram(const core::PackagedProgram& program)
{
    say("program        compiled; runs as it is, on {}, if you trust it\n"
        "SHA-256        {}\n"
        "precision      {} (no other), compile mode {} (no other)\n",
        program.device == core::ProgramDevice::Cuda ? "NVIDIA GPUs" : "the CPU", program.sha256,
        core::kAsPackaged, core::kAsPackaged);
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

// The usual sizes of the model, and those that were asked for.
core::Result<core::ShapePoint> shapeOf(const InspectCommand& command,
                                       const core::ModelFamily& family)
{
    QS_TRY(const core::Sizes sizes, sizesFrom(command.sizes, family));
    core::ShapePoint shape{command.batch.value_or(family.workload().batches.lowest), sizes};
    QS_RETURN_IF_ERROR(family.checkShape(shape));
    return shape;
}

// What can be said of a model that cannot be used: programs get it as they get the rest.
int refuse(const InspectCommand& command, const core::Error& error)
{
    core::ModelInspection inspection =
        core::inspectCheckedModel(command.model, core::locatePrograms().resources, command.seed);
    if (inspection.usable())
        inspection.status = error;  // of the tensors themselves
    if (command.json)
        sayLine(core::jsonText(refusalJson(command, inspection), 2));
    else if (!inspection.report.recognised.empty())
        say("{}\n", inspection.report.text());
    return fail(error);
}

}  // namespace

int inspectCommand(const InspectCommand& command)
{
    auto opened =
        core::openCheckedModel(command.model, core::locatePrograms().resources, command.seed);
    if (!opened.ok())
        return refuse(command, opened.error());
    core::ModelFeeding feeding;
    if (const core::Status read = applyFeeding(command.feeding, feeding); !read.ok())
        return fail(read.error());
    if (const core::Status fed = core::feedModel(opened.value().model, feeding); !fed.ok())
        return fail(fed.error());
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
        sayLine(core::jsonText(
            inspectionJson(opened.value(), command, shape.value(), costs.value(), recipe.value()),
            2));
        return kExitOk;
    }
    say("{}\n{}\nvariant        {}\nidentity       {}\n", model.displayName,
        opened.value().report.text(), model.variant, model.contentId);
    printWorkload(model, shape.value());
    if (const auto& program = model.family->stages().front().program) {
        printProgram(*program);
        printFiles(model);
        return kExitOk;
    }
    printStages(model, shape.value(), costs.value(), recipe.value());
    printFiles(model);
    printLayers(model, recipe.value(), command.allLayers);
    return kExitOk;
}

}  // namespace qs::app
