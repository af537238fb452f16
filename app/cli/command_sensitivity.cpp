#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/measured_cell.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/sensitivity.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <optional>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;

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

// What was measured of a filter, with the run as it is by then.
Result<bool> judged(const SensitivityCommand& command, const core::Gate& limit,
                    const core::CellConfig& whole, const std::string& filter)
{
    core::CellConfig config = whole;
    config.layers = filter;
    QS_TRY(const MeasuredCell cell, measuredCell(command.run, config, limit));
    return cell.meetsLimit;
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
    const auto run = core::readMeasuredRun(command.run, core::RowPlace::InMemory);
    if (!run.ok())
        return fail(run.error());
    const core::Analysis analysis = analysisOf(run.value());
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
