#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/model/catalogue.h"
#include "core/model/quantized/checkpoint.h"
#include "core/model/safetensors/part_sizes.h"
#include "core/report/words/failure_text.h"
#include "core/run/cell_supervisor.h"
#include "core/run/program_paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

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
    QS_TRY(const core::OpenedModel opened,
           core::openModel(command.model, paths.resources, command.seed));
    const core::ModelFamily& family = *opened.model.family;
    if (family.stages().front().program)
        return core::Error{core::ErrorCode::Unsupported,
                           command.model + " is a compiled program: none of its weights is known"};
    QS_TRY(const core::Recipe recipe,
           core::makeRecipe(family, request.config.precision, command.layers));
    if (const auto objection =
            core::formatObjection(*request.checkpoint, core::layerTable(family, recipe)))
        return core::Error{core::ErrorCode::Unsupported, command.format + ": " + *objection};
    request.config.sizes = family.workload().completed({});
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

std::string sizeText(std::uint64_t bytes)
{
    constexpr double kMebibyte = 1024.0 * 1024.0;
    return fmt::format("{} bytes = {:.2f} MiB", bytes, static_cast<double>(bytes) / kMebibyte);
}

// By the header of the file that was written; nothing for formats that have no such file.
void sayParts(const fs::path& path)
{
    const auto file = core::openSafetensors(path);
    if (!file.ok())
        return;
    std::uint64_t bytes = 0;
    for (const auto& [name, part] : core::partSizes(file.value())) {
        say("  {:<16} {:>6} tensors  {}\n", core::cleanLine(name), part.tensors,
            sizeText(part.bytes));
        bytes += part.bytes;
    }
    say("tensors  {}, read back as they were written\n", sizeText(bytes));
}

void sayFiles(const fs::path& folder, const core::CellResult& result)
{
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error))
        say("{}  {}\n", each->path().string(),
            core::formatBytes(static_cast<double>(each->file_size(error))));
    sayParts(folder / core::quantized::kFile);
    say("weights  {} as the precisions have them, {} in memory\n",
        core::formatBytes(static_cast<double>(result.storage.logicalBytes)),
        core::formatBytes(static_cast<double>(result.storage.storageBytes)));
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
    const auto request = requestOf(named, paths);
    if (!request.ok())
        return fail(request.error());
    if (const core::Status made = makeFolder(folder); !made.ok())
        return fail(made.error());
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
    sayFiles(folder, *outcome.value().result);
    return kExitOk;
}

}  // namespace qs::app
