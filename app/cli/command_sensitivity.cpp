#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/measured_cell.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/layer_search.h"
#include "core/analysis/sensitivity.h"
#include "core/analysis/speed_baseline.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;

std::string orderText(core::PartOrder order)
{
    switch (order) {
    case core::PartOrder::LossPerTime:
        return "for the time that they save";
    case core::PartOrder::LossPerByte:
        return "for their bytes";
    }
    return {};
}

// "1.5 ms [1.4, 1.6] less"; what rounds do not decide is not called a gain.
std::string gainText(const core::PartSensitivity& part)
{
    if (!part.gain)
        return {};
    if (!part.gain->isDecided())
        return "  no decided gain of time";
    return fmt::format("  {} less a pass [{}, {}]", core::formatSeconds(part.gain->seconds),
                       core::formatSeconds(part.gain->interval->lower),
                       core::formatSeconds(part.gain->interval->upper));
}

void print(const core::Analysis& analysis, const core::Sensitivity& sensitivity)
{
    const core::CellSummary& whole = *analysis.find(sensitivity.wholeId);
    say("{}, {} ({}): loss of quality of each part alone, worst {} first\n",
        core::precisionText(whole.cell->config), whole.cell->config.compile,
        core::counted(sensitivity.parts.size(), "part"), orderText(sensitivity.order));
    if (sensitivity.order == core::PartOrder::LossPerByte)
        say("  not by time: quantizing all of them, and one alone, does not shorten a pass beyond "
            "doubt ({} repeats or more can tell)\n",
            core::kRoundsForInterval);
    for (const core::PartSensitivity& part : sensitivity.parts)
        say("  {:<40} distance {:.3g}  {} less{}\n", part.patterns, part.distance,
            core::formatBytes(static_cast<double>(part.bytesSaved)), gainText(part));
}

Result<std::string> search(const SensitivityCommand& command, const core::Gate& limit,
                           core::LayerSearch parts)
{
    while (const auto kept = parts.kept()) {
        QS_TRY(const MeasuredCell cell, measuredCell(command.run, parts.wanted(), limit));
        say("{} of {} unquantized: {}\n", *kept, parts.parts(),
            cell.meetsLimit ? "meets the limit" : "misses the limit");
        parts.told(cell.meetsLimit);
    }
    const auto filter = parts.filter();
    if (!filter)
        return Error{ErrorCode::Unsupported,
                     "nothing but leaving every part unquantized meets the limit"};
    return *filter;
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
        const auto filter = search(command, *limit, core::LayerSearch(sensitivity, whole));
        if (!filter.ok())
            return fail(filter.error());
        say("layers={}\n", filter.value());
    }
    return kExitOk;
}

}  // namespace qs::app
