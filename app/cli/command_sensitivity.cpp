#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/progress_printer.h"
#include "app/cli/terminal_text.h"
#include "app/cli/trust_question.h"
#include "core/analysis/analysis.h"
#include "core/analysis/measured_run.h"
#include "core/analysis/metric_values.h"
#include "core/analysis/sensitivity.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/run/describe_engine.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"
#include "core/sweep/gate.h"

#include <algorithm>
#include <optional>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;

constexpr double kEngineTimeoutSeconds = 60.0;

int fail(const Error& error)
{
    complain(error.message);
    return exitCodeOf(error);
}

void print(const core::Analysis& analysis, const core::Sensitivity& sensitivity)
{
    const core::CellSummary& whole = *analysis.find(sensitivity.wholeId);
    say("{}, {} ({}): loss of quality of each part alone, worst for its bytes first\n",
        core::precisionText(whole.cell->config), whole.cell->config.compile,
        core::counted(sensitivity.parts.size(), "part"));
    for (const core::PartSensitivity& part : sensitivity.parts)
        say("  {:<40} distance {:.3g}  {} less\n", part.patterns, part.distance,
            core::formatBytes(static_cast<double>(part.bytesSaved)));
}

Result<core::MeasuredRun> readRun(const SensitivityCommand& command)
{
    return core::readMeasuredRun(command.run, core::RowPlace::InMemory);
}

core::Analysis analysed(const core::MeasuredRun& run)
{
    return core::analyse(run.data, run.figures, run.data.plan.preset.speedBaseline);
}

// The cell of the search in the run, if it was measured.
const core::CellSummary* cellWith(const core::Analysis& analysis, const core::CellConfig& whole,
                                  const std::string& filter)
{
    core::CellConfig config = whole;
    config.layers = filter;
    const auto found =
        std::find_if(analysis.cells.begin(), analysis.cells.end(), [&](const auto& summary) {
            return summary.cell->config == config && summary.cell->rerun == 0;
        });
    return found == analysis.cells.end() || !found->quality ? nullptr : &*found;
}

// Adds the cell to the run and measures it.
core::Status measure(const SensitivityCommand& command, const core::RunData& data,
                     const core::CellConfig& whole, const std::string& filter)
{
    const core::ProgramPaths paths = core::locatePrograms();
    QS_TRY(const core::EngineDescription engine,
           core::describeEngine(paths.worker, kEngineTimeoutSeconds));
    core::Preset preset = data.plan.preset;
    preset.axes.clear();
    preset.linked.clear();
    preset.exclusions.clear();
    preset.defaults = whole;
    preset.defaults.layers = filter;
    QS_TRY(core::Plan plan, core::makePlan(preset, {engine.devices, paths.resources, false}));
    const core::PathTrust trust(paths.trustFile);
    QS_TRY(std::vector<std::string> agreed, agreedPaths(command.run, trust, false));
    ProgressPrinter printer(false);
    core::RunSession session(std::move(plan),
                             {.folder = command.run,
                              .workerProgram = paths.worker,
                              .resourceFolder = paths.resources,
                              .inputCache = paths.inputCache,
                              .workerCache = paths.workerCache,
                              .trust = trust,
                              .agreedPaths = std::move(agreed),
                              .resume = true},
                             printer);
    session.wait();
    return printer.status();
}

Result<bool> meets(const core::Gate& limit, const core::CellSummary& summary)
{
    if (summary.identical())
        return true;
    const auto value = core::valueOf(limit.metric, summary);
    if (!value)
        return Error{ErrorCode::InvalidArgument, "the cells have no " + limit.metric};
    return limit.holds(*value);
}

// What was measured of a filter, with the run as it is by then.
Result<bool> judged(const SensitivityCommand& command, const core::Gate& limit,
                    const core::CellConfig& whole, const std::string& filter)
{
    for (const bool again : {false, true}) {
        QS_TRY(const core::MeasuredRun run, readRun(command));
        const core::Analysis analysis = analysed(run);
        if (const core::CellSummary* summary = cellWith(analysis, whole, filter))
            return meets(limit, *summary);
        if (!again)
            QS_RETURN_IF_ERROR(measure(command, run.data, whole, filter));
    }
    return Error{ErrorCode::Internal, "the cell with " + filter + " could not be measured"};
}

Result<std::string> search(const SensitivityCommand& command, const core::Gate& limit,
                           const core::CellConfig& whole, const core::Sensitivity& sensitivity)
{
    QS_TRY(const bool wholeMeets, judged(command, limit, whole, sensitivity.wholeFilter));
    if (wholeMeets)
        return sensitivity.wholeFilter;
    core::GreedySearch greedy(sensitivity.parts.size());
    while (const auto kept = greedy.next()) {
        const std::string filter = core::filterWithoutWorst(sensitivity, *kept);
        QS_TRY(const bool good, judged(command, limit, whole, filter));
        say("{} of {} unquantized: {}\n", *kept, sensitivity.parts.size(),
            good ? "meets the limit" : "misses the limit");
        greedy.told(*kept, good);
    }
    if (greedy.fewest() == sensitivity.parts.size())
        return Error{ErrorCode::Unsupported,
                     "nothing but leaving every part unquantized meets the limit"};
    return core::filterWithoutWorst(sensitivity, greedy.fewest());
}

}  // namespace

int sensitivityCommand(const SensitivityCommand& command)
{
    std::optional<core::Gate> limit;
    if (!command.limit.empty()) {
        const auto gate = core::gateFromText(command.limit);
        if (!gate.ok())
            return fail(gate.error());
        limit = gate.value();
    }
    const auto run = readRun(command);
    if (!run.ok())
        return fail(run.error());
    const core::Analysis analysis = analysed(run.value());
    const std::vector<core::Sensitivity> sensitivities = core::sensitivitiesOf(analysis);
    if (sensitivities.empty())
        return fail({ErrorCode::InvalidArgument,
                     command.run + " has no cells with single layers or blocks; make some with "
                                   "quantscope-cli run --sensitivity layer"});
    for (const core::Sensitivity& sensitivity : sensitivities) {
        print(analysis, sensitivity);
        if (!limit)
            continue;
        const core::CellConfig whole = analysis.find(sensitivity.wholeId)->cell->config;
        const auto filter = search(command, *limit, whole, sensitivity);
        if (!filter.ok())
            return fail(filter.error());
        say("layers={}\n", filter.value());
    }
    return kExitOk;
}

}  // namespace qs::app
