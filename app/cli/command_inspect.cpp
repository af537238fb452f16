#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/graph/cost.h"
#include "core/model/catalogue.h"
#include "core/quant/recipe.h"
#include "core/run/program_paths.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <variant>

namespace qs::app {

namespace {

void printStages(const core::Model& model, const core::ShapePoint& shape,
                 const core::Recipe& recipe)
{
    double total = 0.0;
    for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
        const core::Cost cost =
            core::costOf(model.family->buildStage(stage, shape, core::DType::BFloat16));
        total += cost.flops();
        say("stage {:<8} {:>14} parameters  {:>4} tensors  {} ({:.1f} % attention)\n",
            model.family->stages()[stage].name, core::formatGrouped(model.parameterCount(stage)),
            model.family->stages()[stage].weights.size(), core::formatFlops(cost.flops()),
            cost.flops() > 0.0 ? 100.0 * cost.attentionFlops / cost.flops() : 0.0);
    }
    say("total          {:>14} parameters  {} per pass of batch {} at {} px\n",
        core::formatGrouped(model.parameterCount()), core::formatFlops(total), shape.batch,
        shape.imageSize);
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
    say("layers         {} of {} linear layers matched, {:.2f} % of their parameters\n", matched,
        rows.size(),
        parameters > 0
            ? 100.0 * static_cast<double>(matchedParameters) / static_cast<double>(parameters)
            : 0.0);
}

core::Json stagesJson(const core::Model& model, const core::ShapePoint& shape)
{
    core::Json stages = core::Json::array();
    for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
        const core::Cost cost =
            core::costOf(model.family->buildStage(stage, shape, core::DType::BFloat16));
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
               const core::Recipe& recipe)
{
    const core::Model& model = opened.model;
    const auto onDisk = bytesOnDisk(model);
    const core::Json json{
        {"model", command.model},
        {"name", model.displayName},
        {"variant", model.variant},
        {"identity", model.contentId},
        {"trained_weights", model.trained()},
        {"load_report", opened.report.text()},
        {"batch_pictures", command.batch},
        {"image_size_px", command.imageSize},
        {"precision", command.precision},
        {"layer_filter", command.layers},
        {"parameters", model.parameterCount()},
        {"stages", stagesJson(model, {command.batch, command.imageSize})},
        {"weights_resident_bytes", core::residentWeightBytes(*model.family, recipe)},
        {"weights_file_bytes", onDisk ? core::Json(*onDisk) : core::Json()},
        {"layers", layersJson(model, recipe)}};
    sayLine(core::jsonText(json, 2));
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
    const core::ShapePoint shape{command.batch, command.imageSize};
    if (const core::Status status = model.family->checkShape(shape); !status.ok())
        return fail(status.error());
    const auto recipe =
        core::makeRecipe(*model.family, core::splitAt(command.precision, '/'), command.layers);
    if (!recipe.ok())
        return fail(recipe.error());
    if (command.json) {
        printJson(opened.value(), command, recipe.value());
        return kExitOk;
    }
    say("{}\n{}\nvariant        {}\nidentity       {}\n", model.displayName,
        opened.value().report.text(), model.variant, model.contentId);
    printStages(model, shape, recipe.value());
    printFiles(model);
    printLayers(model, recipe.value(), command.allLayers);
    return kExitOk;
}

}  // namespace qs::app
