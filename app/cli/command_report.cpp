#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/fail_on.h"
#include "app/cli/run_warnings.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/measured_run.h"
#include "core/report/profiles/profile_registry.h"
#include "core/report/report.h"
#include "core/sweep/speed_baseline_name.h"

#include <fmt/format.h>

namespace qs::app {

namespace {

using core::Status;

core::Result<core::Analysis> analysisOf(const core::MeasuredRun& run, const std::string& baseline)
{
    const core::RunData& data = run.data;
    if (!baseline.empty() && !core::isSpeedBaselineName(baseline) &&
        data.plan.find(baseline) == nullptr)
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--baseline " + baseline + ": expected " + core::speedBaselineList() +
                               " or the id of a cell of this run"};
    return core::analyse(data, run.figures,
                         baseline.empty() ? data.plan.preset.speedBaseline : baseline);
}

Status write(const core::RunData& data, const core::Analysis& analysis,
             const ReportCommand& command)
{
    if (!command.profile.empty()) {
        QS_TRY(const core::ExportProfile* profile, core::findExportProfile(command.profile));
        if (command.out.empty())
            return core::Error{core::ErrorCode::InvalidArgument,
                               "--profile needs a folder of its own: --out FOLDER"};
        QS_TRY(const std::vector<std::string> files,
               core::writeProfile(*profile, data, analysis, command.out));
        for (const std::string& file : files)
            say("written to {}\n", (std::filesystem::path(command.out) / file).string());
    }
    const bool all = command.profile.empty() && !command.csv && !command.json &&
                     !command.markdown && !command.html && command.bundle.empty();
    core::ReportOptions options{.folder = command.out.empty() ? command.run : command.out};
    options.cells = options.measurements = options.samples = options.layers = options.kernels =
        command.csv || all;
    options.json = command.json || all;
    options.summary = command.markdown || all;
    options.html = command.html || all;
    if (options.cells || options.json || options.summary || options.html) {
        QS_RETURN_IF_ERROR(core::writeReport(data, analysis, options));
        say("written to {}\n", options.folder.string());
    }
    if (!command.bundle.empty()) {
        QS_RETURN_IF_ERROR(core::writeBundle(data, analysis, command.bundle));
        say("written to {}\n", command.bundle);
    }
    return {};
}

core::Result<int> report(const ReportCommand& command)
{
    QS_TRY(const FailOn failOn, failOnFrom(command.failOn, command.undecided));
    QS_TRY(core::MeasuredRun run, core::readMeasuredRun(command.run, core::RowPlace::InJournal));
    core::RunData& data = run.data;
    if (!command.price.empty()) {
        QS_TRY(data.plan.preset.price, core::parsePrice(command.price));
    }
    printWarnings(data);
    QS_TRY(const std::vector<core::Gate> gates, wantedGates(failOn, data.plan.preset));
    QS_TRY(const core::Analysis analysis, analysisOf(run, command.baseline));
    printTimeWarnings(analysis);
    printClaims(analysis);
    QS_RETURN_IF_ERROR(write(data, analysis, command));
    const bool fails = anyGateFails(data, analysis, gates, failOn);
    return fails || data.leftOut.isLoss() ? kExitCellFailed : kExitOk;
}

}  // namespace

int reportCommand(const ReportCommand& command)
{
    const core::Result<int> code = report(command);
    if (code.ok())
        return code.value();
    return fail(code.error());
}

}  // namespace qs::app
