#include "app/cli/measured_cell.h"

#include "app/cli/progress_printer.h"
#include "app/cli/trust_question.h"
#include "core/analysis/metric_values.h"
#include "core/run/describe_engine.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;

constexpr double kDescribeTimeoutSeconds = 60.0;

// Null if the cell was not measured, or is not compared with its reference yet.
const core::CellSummary* cellLike(const core::Analysis& analysis, const core::CellConfig& config)
{
    const auto found =
        std::find_if(analysis.cells.begin(), analysis.cells.end(), [&](const auto& summary) {
            return summary.cell->config == config && summary.cell->rerun == 0;
        });
    if (found == analysis.cells.end() || !found->measured)
        return nullptr;
    return &*found;
}

core::Status measureAlso(const std::string& run, const core::RunData& data,
                         const core::CellConfig& config)
{
    const core::ProgramPaths paths = core::locatePrograms();
    QS_TRY(const core::EngineDescription engine,
           core::describeEngine(paths.worker, kDescribeTimeoutSeconds));
    core::Preset preset = data.plan.preset;
    preset.axes.clear();
    preset.linked.clear();
    preset.exclusions.clear();
    preset.defaults = config;
    QS_TRY(core::Plan plan, core::makePlan(preset, {engine.devices, paths.resources, false}));
    const core::PathTrust trust(paths.trustFile);
    QS_TRY(std::vector<std::string> agreed, agreedPaths(run, trust, false));
    ProgressPrinter printer(false);
    core::RunSession session(std::move(plan),
                             {.folder = run,
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

Result<bool> meetsLimit(const core::Gate& limit, const core::CellSummary& summary)
{
    if (summary.identical())
        return true;
    const auto value = core::valueOf(limit.metric, summary);
    if (!value)
        return Error{ErrorCode::InvalidArgument, "the cells have no " + limit.metric};
    return limit.holds(*value);
}

}  // namespace

core::Analysis analysisOf(const core::MeasuredRun& run)
{
    return core::analyse(run.data, run.figures, run.data.plan.preset.speedBaseline);
}

Result<MeasuredCell> measuredCell(const std::string& run, const core::CellConfig& config,
                                  const std::optional<core::Gate>& limit)
{
    for (const bool again : {false, true}) {
        QS_TRY(const core::MeasuredRun read, core::readMeasuredRun(run, core::RowPlace::InMemory));
        const core::Analysis analysis = analysisOf(read);
        if (const core::CellSummary* summary = cellLike(analysis, config)) {
            MeasuredCell cell{summary->seconds};
            if (limit) {
                QS_TRY(cell.meetsLimit, meetsLimit(*limit, *summary));
            }
            return cell;
        }
        if (!again)
            QS_RETURN_IF_ERROR(measureAlso(run, read.data, config));
    }
    return Error{ErrorCode::Internal, "the cell with layers " + config.layers +
                                          " and compile mode " + config.compile +
                                          " could not be measured"};
}

}  // namespace qs::app
