#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/plan_checks.h"
#include "app/cli/terminal_text.h"
#include "core/base/excerpt.h"
#include "core/base/files.h"
#include "core/base/text_parts.h"
#include "core/quant/checked_model.h"
#include "core/run/program_paths.h"
#include "core/sweep/expand.h"
#include "core/sweep/olmoearth/run_name.h"
#include "core/sweep/olmoearth/throughput_config.h"
#include "core/sweep/plan.h"
#include "core/sweep/preset.h"
#include "core/sweep/preset_axes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Status;

// All that a preset says of an axis.
std::set<std::string> valuesOf(const core::Preset& preset, const std::string& axis,
                               const std::string& otherwise)
{
    const core::Axis* found = core::findAxis(preset, axis);
    if (found == nullptr)
        return {otherwise};
    return {found->values.begin(), found->values.end()};
}

// This processor, and the largest of the common GPUs for each that is named: whether one of them is
// in this computer is no fault of the preset.
std::vector<core::DeviceDescription> devicesFor(const core::Preset& preset)
{
    std::vector<core::DeviceDescription> devices{core::describeCpu()};
    const auto& gpus = core::commonGpus();
    const auto largest =
        std::max_element(gpus.begin(), gpus.end(), [](const auto& a, const auto& b) {
            return a.memoryBytes < b.memoryBytes;
        });
    for (const std::string& id : valuesOf(preset, "device", preset.defaults.device)) {
        if (id.starts_with("cuda") && largest != gpus.end()) {
            devices.push_back(*largest);
            devices.back().id = id;
        }
    }
    return devices;
}

// Too many to plan each of them here.
Status checkModels(const core::Preset& preset, const std::filesystem::path& resources)
{
    for (const std::string& model : valuesOf(preset, "model", preset.defaults.model)) {
        const core::ModelInspection found =
            core::inspectCheckedModel(model, resources, preset.defaults.seed);
        if (!found.usable())
            return found.status.error();
    }
    return {};
}

Status checkCells(const core::Preset& preset, const std::filesystem::path& resources)
{
    if (const std::int64_t cells = core::countCells(preset);
        cells > core::kCellsWithoutAsking && cells <= core::kCellsAtMost)
        return checkModels(preset, resources);
    QS_TRY(const core::Plan plan, core::makePlan(preset, {devicesFor(preset), resources, false}));
    QS_RETURN_IF_ERROR(checkSomeCanRun(plan));
    return checkFeeds(plan, resources);
}

Status check(const std::string& file, const std::filesystem::path& resources)
{
    auto preset = core::readPreset(file);
    if (!preset.ok())
        return preset.error();
    for (const Status& status :
         {checkPictures(preset.value()), checkCells(preset.value(), resources)}) {
        if (!status.ok())
            return status.error().within(file);
    }
    const std::int64_t cells = core::countCells(preset.value());
    say("{}: ok, {} x {}, without reference cells{}\n", file,
        core::counted(static_cast<std::uint64_t>(cells), "cell"),
        core::counted(static_cast<std::uint64_t>(preset.value().rounds), "round"),
        cells > core::kCellsWithoutAsking ? "; a run of this size needs --yes" : "");
    return {};
}

}  // namespace

int presetCheckCommand(const std::vector<std::string>& files)
{
    const core::ProgramPaths paths = core::locatePrograms();
    int code = kExitOk;
    for (const std::string& file : files) {
        const Status status = check(file, paths.resources);
        if (status.ok())
            continue;
        complainLine(core::withShortQuotes(status.error().message));
        // What is wrong matters more than what cannot run.
        const bool impossible = status.error().code == ErrorCode::Unsupported;
        if (!impossible || code == kExitOk)
            code = impossible ? kExitImpossible : kExitUsage;
    }
    return code;
}

namespace {

core::Result<core::olmoearth::ThroughputSweep> throughputSweepOf(const std::string& source)
{
    std::error_code ignored;
    // Names of runs hold neither.
    const bool isPath = source.find('/') != std::string::npos || source.ends_with(".json");
    if (!isPath && !std::filesystem::is_regular_file(source, ignored))
        return core::olmoearth::sweepOfRunName(source);
    QS_TRY(const core::Json json, core::readJsonFile(std::filesystem::path(source)));
    if (!core::olmoearth::isThroughputConfig(json))
        return Error{ErrorCode::Format,
                     source + ": neither a ThroughputBenchmarkRunnerConfig nor RunParams; a preset "
                              "needs no conversion"};
    return core::olmoearth::throughputSweepOf(json, source);
}

Status convertPreset(const PresetConvertCommand& command)
{
    QS_TRY(const core::olmoearth::ThroughputSweep sweep, throughputSweepOf(command.source));
    for (const core::olmoearth::RunParams& run : sweep.runs)
        say("{}\n", core::olmoearth::runName(run));
    for (const std::string& note : sweep.notes)
        complainLine("note: " + note);
    if (command.out.empty())
        return {};
    std::error_code ignored;
    if (std::filesystem::exists(command.out, ignored))
        return Error{ErrorCode::InvalidArgument,
                     command.out + " exists; name another file, or remove it"};
    QS_RETURN_IF_ERROR(core::writeFileAtomically(
        std::filesystem::path(command.out), core::jsonText(core::toJson(sweep.preset), 2) + "\n"));
    say("written to {}; a run adds the bf16 eager cells that outputs are compared with\n",
        command.out);
    return {};
}

}  // namespace

int presetConvertCommand(const PresetConvertCommand& command)
{
    const Status status = convertPreset(command);
    return status.ok() ? kExitOk : fail(status.error());
}

}  // namespace qs::app
