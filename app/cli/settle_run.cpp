#include "app/cli/settle_run.h"

#include "app/cli/terminal_text.h"
#include "core/analysis/analysis.h"
#include "core/analysis/cell_label.h"
#include "core/analysis/measured_run.h"
#include "core/analysis/open_comparisons.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <fmt/format.h>

namespace qs::app {

namespace {

std::string whyNothing(const core::OpenComparisons& open)
{
    if (open.waiting > 0)
        return fmt::format("{} with planned rounds left; run with --resume first",
                           core::counted(static_cast<std::uint64_t>(open.waiting), "comparison"));
    if (open.compared == 0)
        return "the run has no measured comparison";
    return "every comparison of the run is decided";
}

void printOpen(const core::RunData& data, const core::OpenComparisons& open, int rounds)
{
    const core::CellLabels labels = core::distinguish(data.plan.cells);
    for (const std::string& id : open.cellIds)
        sayLine("undecided: " + labels.withBatch(*data.plan.find(id)));
    sayLine(fmt::format("settling {} of {}: {} x {}, about {}", open.cellIds.size(),
                        core::counted(static_cast<std::uint64_t>(open.compared), "comparison"),
                        core::counted(static_cast<std::uint64_t>(open.cells()), "cell"),
                        core::counted(static_cast<std::uint64_t>(rounds), "round"),
                        core::formatSeconds(core::settleSeconds(data, open, rounds))));
}

}  // namespace

core::Result<core::Plan> settlingPlan(const std::filesystem::path& folder, int rounds)
{
    QS_TRY(const core::MeasuredRun run, core::readMeasuredRun(folder, core::RowPlace::InMemory));
    const core::RunData& data = run.data;
    const core::Analysis analysis =
        core::analyse(data, run.figures, data.plan.preset.speedBaseline);
    const core::OpenComparisons open = core::openComparisons(analysis);
    if (open.none())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "nothing to settle: " + whyNothing(open)};
    printOpen(data, open, rounds);
    return core::settleAddition(data.plan, open, rounds);
}

}  // namespace qs::app
