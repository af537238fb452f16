#include "app/cli/measured_cell.h"

#include "app/cli/plan_checks.h"
#include "app/cli/progress_printer.h"
#include "app/cli/trust_question.h"
#include "core/analysis/compile_cost.h"
#include "core/analysis/layer_search.h"
#include "core/run/describe_engine.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"
#include "core/sweep/append_plan.h"

#include <utility>
#include <vector>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;

constexpr double kDescribeTimeoutSeconds = 60.0;

core::Status measureAlso(const std::string& run, const core::RunData& data,
                         const core::CellConfig& config)
{
    const core::ProgramPaths paths = core::locatePrograms();
    QS_TRY(const core::EngineDescription engine,
           core::describeEngine(paths.worker, kDescribeTimeoutSeconds));
    QS_TRY(core::Plan plan, core::makePlan(core::presetOfCell(data.plan.preset, config),
                                           {engine.devices, paths.resources, false}));
    // Before the run is changed, which may be of another computer.
    QS_RETURN_IF_ERROR(checkSomeCanRun(plan));
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

core::SubsetFigures figuresOf(const core::CellSummary& summary)
{
    const core::MemoryFigures& memory = summary.memory;
    const auto peak = memory.allocatedPeak ? memory.allocatedPeak : memory.processPeak;
    return {summary.seconds, static_cast<double>(peak.value_or(0)),
            core::beginSeconds(summary, core::CompileStart::Cold)};
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
        if (const core::CellSummary* summary = core::findMeasured(analysis, config)) {
            MeasuredCell cell{figuresOf(*summary)};
            if (limit) {
                QS_TRY(cell.meetsLimit, core::meetsLimit(*limit, *summary));
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
