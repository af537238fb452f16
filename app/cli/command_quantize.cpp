#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/feeding_options.h"
#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_parts.h"
#include "core/graph/exported/exported_archive.h"
#include "core/model/fed_model.h"
#include "core/model/safetensors/part_sizes.h"
#include "core/quant/calibration.h"
#include "core/quant/checked_model.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/run/calibration_files.h"
#include "core/run/cell_supervisor.h"
#include "core/run/input_set.h"
#include "core/run/program_paths.h"
#include "core/sweep/calibration_plan.h"
#include "core/sweep/validity.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

// In words, what its precisions cannot be calibrated on.
core::Status checkCalibration(const core::CellRequest& request, const core::Model& model,
                              const core::Recipe& recipe, const core::ProgramPaths& paths)
{
    if (core::anyCalibratesOn(core::CalibrationSet::Inputs, request.config.precision))
        return core::Error{core::ErrorCode::InvalidArgument,
                           "set=inputs is for sweeps: nothing is judged here; use set=own with "
                           "--calibration-images or --calibration-input"};
    const bool own = core::anyCalibratesOn(core::CalibrationSet::Own, request.config.precision);
    if (!own && !request.calibration.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "a calibration set is given, and no precision uses it: write "
                           "gptq-int4-128:set=own, int8sq:set=own …"};
    core::Preset preset;
    preset.calibration = request.calibration;
    core::CalibrationSets sets(preset, paths.resources);
    const auto reason = core::whyNotCalibrated(request.config, model, recipe, sets);
    return reason ? core::Status(
                        core::Error{core::ErrorCode::InvalidArgument, core::noteText(*reason)})
                  : core::Status();
}

// A checkpoint in which nothing is quantized is none of what was asked for; layers that stay as
// they are, are named.
core::Status checkLayers(const core::CellConfig& config, const core::Model& model,
                         const core::Recipe& recipe)
{
    if (const auto reason = core::whyNoLayer(config, model, recipe))
        return core::Error{core::ErrorCode::InvalidArgument, core::noteText(*reason)};
    for (const core::Note& note : core::notesOnStages(config, model, recipe))
        complainLine(core::noteText(note));
    return {};
}

core::Result<core::CellRequest> requestOf(const QuantizeCommand& command,
                                          const core::ProgramPaths& paths)
{
    core::CellRequest request;
    QS_TRY(request.checkpoint, core::kCheckpointFormats.parse(command.format, "checkpoint format"));
    request.config.model = command.model;
    request.config.precision = core::splitAt(command.precision, '/');
    request.config.layers = command.layers;
    request.config.device = command.device;
    request.config.seed = command.seed;
    QS_RETURN_IF_ERROR(applyFeeding(command.feeding, request.feeding));
    QS_RETURN_IF_ERROR(applyCalibration(command.calibration, request.calibration));
    QS_TRY(core::OpenedModel opened,
           core::openCheckedModel(command.model, paths.resources, command.seed));
    QS_RETURN_IF_ERROR(core::feedModel(opened.model, request.feeding));
    const core::ModelFamily& family = *opened.model.family;
    if (family.stages().front().program)
        return core::Error{core::ErrorCode::Unsupported,
                           command.model + " is a compiled program: none of its weights is known"};
    QS_TRY(const core::Recipe recipe,
           core::makeRecipe(family, request.config.precision, command.layers));
    if (const auto objection =
            core::formatObjection(*request.checkpoint, core::layerTable(family, recipe)))
        return core::Error{core::ErrorCode::Unsupported, command.format + ": " + *objection};
    if (const auto objection = core::modelObjection(*request.checkpoint, opened.model))
        return core::Error{core::ErrorCode::Unsupported, *objection};
    QS_RETURN_IF_ERROR(checkLayers(request.config, opened.model, recipe));
    QS_TRY(request.config.sizes, sizesFrom(command.sizes, family));
    QS_RETURN_IF_ERROR(family.checkShape({1, request.config.sizes}));
    QS_RETURN_IF_ERROR(checkCalibration(request, opened.model, recipe, paths));
    request.resourceFolder = paths.resources.string();
    request.cacheFolder = paths.workerCache.string();
    std::error_code error;
    const fs::path folder = fs::absolute(command.out, error);
    request.runFolder = folder.parent_path().string();
    request.outputFolder = folder.filename().string();
    return request;
}

// A checkpoint takes the place of nothing else.
core::Status makeFolder(const fs::path& folder)
{
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error))
        return core::Error{core::ErrorCode::InvalidArgument,
                           folder.string() + " already exists and is not empty"};
    return core::createFolders(folder);
}

// The samples of the calibration set as the worker reads them; they go with the folder that they
// are put into.
core::Result<std::optional<core::TemporaryFolder>> keepCalibration(const core::ProgramPaths& paths,
                                                                   core::CellRequest& request)
{
    std::optional<core::TemporaryFolder> kept;
    if (request.calibration.empty())
        return kept;
    const fs::path out = fs::path(request.runFolder) / request.outputFolder;
    QS_TRY(core::TemporaryFolder folder,
           core::TemporaryFolder::createIn(out, "quantscope-calibration-"));
    kept.emplace(std::move(folder));
    const fs::path place = request.outputFolder / kept->path().filename();
    request.calibrationFolder = place.string();
    QS_RETURN_IF_ERROR(core::keepCalibrationInputs(request.runFolder, place, request.calibration));
    if (request.calibration.pictures.source.empty() || request.config.imageSize() == 0)
        return kept;
    QS_TRY(const std::vector<std::string> skipped,
           core::keepCalibrationPictures(
               request.runFolder, place,
               core::located(request.calibration.pictures, paths.resources),
               request.config.imageSize(), core::InputCache(paths.inputCache)));
    for (const std::string& file : skipped)
        complainLine("image left out: " + file);
    return kept;
}

std::string sizeText(std::uint64_t bytes)
{
    constexpr double kMebibyte = 1024.0 * 1024.0;
    return fmt::format("{} bytes = {:.2f} MiB", bytes, static_cast<double>(bytes) / kMebibyte);
}

void sayParts(const core::PartSizes& parts)
{
    std::uint64_t bytes = 0;
    for (const auto& [name, part] : parts) {
        say("  {:<16} {:>6} tensors  {}\n", core::cleanLine(name), part.tensors,
            sizeText(part.bytes));
        bytes += part.bytes;
    }
    say("tensors  {}, read back as they were written\n", sizeText(bytes));
}

// By what stands in the file that was written; nothing for files without tensors.
void sayPartsOf(const fs::path& path)
{
    if (path.extension() == ".pt2") {
        const auto archive = core::exported::openExportedArchive(path);
        core::PartSizes sizes;
        if (archive.ok()) {
            for (const auto& [name, slice] : archive.value().tensors)
                core::countTensor(sizes, name, slice.bytes);
            sayParts(sizes);
        }
    } else if (const auto file = core::openSafetensors(path); file.ok()) {
        sayParts(core::partSizes(file.value()));
    }
}

void sayFiles(const fs::path& folder, const core::CellResult& result)
{
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        say("{}  {}\n", each->path().string(),
            core::formatBytes(static_cast<double>(each->file_size(error))));
        sayPartsOf(each->path());
    }
    say("weights  {} as the precisions have them, {} in memory\n",
        core::formatBytes(static_cast<double>(result.storage.logicalBytes)),
        core::formatBytes(static_cast<double>(result.storage.storageBytes)));
}

void sayCalibration(const core::CellResult& result)
{
    for (const core::StageCalibration& stage : result.calibration)
        say("{:<8} calibrated on {} samples ({}){}\n", stage.stage, stage.samples, stage.set,
            stage.fromCache ? ", from cache" : "");
}

}  // namespace

int quantizeCommand(const QuantizeCommand& command)
{
    const core::ProgramPaths paths = core::locatePrograms();
    fs::path folder = command.out;
    if (!folder.has_filename())
        folder = folder.parent_path();  // "out/"
    QuantizeCommand named = command;
    named.out = folder.string();
    auto request = requestOf(named, paths);
    if (!request.ok())
        return fail(request.error());
    if (const core::Status made = makeFolder(folder); !made.ok())
        return fail(made.error());
    auto kept = keepCalibration(paths, request.value());
    if (!kept.ok())
        return fail(kept.error());
    core::SupervisorSwitch control;
    core::CellSupervisor supervisor(paths.worker, control,
                                    {.progress = [](core::Phase, double) {},
                                     .log = [](const std::string& line) { complainLine(line); }});
    const auto outcome = supervisor.run(request.value(), false);
    if (!outcome.ok())
        return fail(outcome.error());
    if (!outcome.value().ok()) {
        complain(core::failureText(*outcome.value().failure));
        return kExitCellFailed;
    }
    kept.value().reset();
    sayCalibration(*outcome.value().result);
    sayFiles(folder, *outcome.value().result);
    return kExitOk;
}

}  // namespace qs::app
