#include "core/analysis/open_comparisons.h"

#include "core/stats/quantiles.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace qs::core {

namespace {

// Measured without a failure, so that further rounds would be measured, too.
bool isSound(const CellSummary& summary)
{
    return summary.cell != nullptr && summary.cell->possible() && summary.measured &&
           summary.status == CellStatus::Ok && summary.doubts.empty();
}

bool isForNoiseFloor(const PlannedCell& cell)
{
    return cell.rerun > 0 || cell.role == CellRole::NoiseFloor;
}

bool isWaiting(const CellSummary& summary)
{
    return summary.roundsOk < summary.roundsPlanned;
}

bool isOpen(const CellSummary& summary)
{
    return !summary.claim || summary.claim->verdict == Verdict::Ambiguous ||
           summary.claim->verdict == Verdict::TooFewRounds;
}

std::unordered_set<std::string_view> participants(const OpenComparisons& open)
{
    std::unordered_set<std::string_view> ids(open.cellIds.begin(), open.cellIds.end());
    ids.insert(open.baselineIds.begin(), open.baselineIds.end());
    return ids;
}

}  // namespace

std::size_t OpenComparisons::cells() const
{
    return participants(*this).size();
}

OpenComparisons openComparisons(const Analysis& analysis)
{
    OpenComparisons open;
    std::unordered_set<std::string_view> baselines;
    for (const CellSummary& summary : analysis.cells) {
        if (!isSound(summary) || isForNoiseFloor(*summary.cell))
            continue;
        const CellSummary* baseline = analysis.find(summary.baselineId);
        if (baseline == nullptr || baseline == &summary || !isSound(*baseline))
            continue;
        ++open.compared;
        if (isWaiting(summary) || isWaiting(*baseline)) {
            ++open.waiting;
            continue;
        }
        if (!isOpen(summary))
            continue;
        open.cellIds.push_back(summary.cellId);
        if (baselines.insert(summary.baselineId).second)
            open.baselineIds.push_back(summary.baselineId);
    }
    return open;
}

int roundsToSettle(const Plan& plan)
{
    const int fewest = static_cast<int>(VerdictRule().fewestRounds);
    return std::clamp(plan.preset.rounds, fewest, kMostSettleRounds);
}

double settleSeconds(const RunData& data, const OpenComparisons& open, int rounds)
{
    // The last rows of each tell enough, and there may be a hundred thousand of them.
    constexpr std::size_t kEnough = 3;
    std::unordered_map<std::string_view, std::vector<double>> took;
    for (const std::string_view id : participants(open))
        took.try_emplace(id);
    std::size_t missing = took.size();
    for (auto row = data.measurements.rbegin(); row != data.measurements.rend() && missing > 0;
         ++row) {
        if (!row->ok() || row->durationSeconds <= 0.0)
            continue;
        const auto wanted = took.find(row->cellId);
        if (wanted == took.end() || wanted->second.size() == kEnough)
            continue;
        std::vector<double>& durations = wanted->second;
        durations.push_back(row->durationSeconds);
        missing -= durations.size() == kEnough ? 1U : 0U;
    }
    double seconds = 0.0;
    for (const PlannedCell& cell : data.plan.cells) {
        if (const auto wanted = took.find(cell.id); wanted != took.end())
            seconds += wanted->second.empty() ? cell.estimatedSeconds : median(wanted->second);
    }
    return seconds * rounds;
}

Plan settleAddition(const Plan& run, const OpenComparisons& open, int rounds)
{
    return settleAddition(
        run, {.cellIds = open.cellIds, .baselineIds = open.baselineIds, .rounds = rounds});
}

}  // namespace qs::core
