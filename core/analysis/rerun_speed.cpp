#include "core/analysis/rerun_speed.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/round_pairs.h"
#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

std::optional<RerunSpeed> speedOf(const CellSummary& rerun, const Analysis& analysis)
{
    if (rerun.cell == nullptr || rerun.cell->rerun == 0)
        return std::nullopt;
    const CellSummary* reference = analysis.find(rerun.cell->referenceId);
    if (reference == nullptr || reference->environmentId != rerun.environmentId)
        return std::nullopt;
    const auto [before, again] = sharedSeconds(*reference, rerun);
    if (before.empty())
        return std::nullopt;
    return RerunSpeed{rerun.cellId, reference->cellId, weighRatio(before, again)};
}

bool differs(const RerunSpeed& speed, double adjustedClaim)
{
    if (speed.evidence.ratio.count < VerdictRule{}.fewestRounds)
        return std::abs(std::log(speed.evidence.ratio.value)) > std::log1p(kRerunTolerance);
    const Verdict verdict = judge(speed.evidence, std::nullopt, adjustedClaim);
    return verdict == Verdict::Faster || verdict == Verdict::Slower;
}

}  // namespace

std::vector<RerunSpeed> rerunSpeeds(const Analysis& analysis)
{
    std::vector<RerunSpeed> speeds;
    std::vector<double> claims;
    for (const CellSummary& cell : analysis.cells) {
        if (auto speed = speedOf(cell, analysis)) {
            claims.push_back(speed->evidence.claim());
            speeds.push_back(*std::move(speed));
        }
    }
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < speeds.size(); ++i)
        speeds[i].differs = differs(speeds[i], adjusted[i]);
    return speeds;
}

std::string rerunWarning(const Analysis& analysis)
{
    const std::vector<RerunSpeed> speeds = rerunSpeeds(analysis);
    const RerunSpeed* worst = nullptr;
    const auto distance = [](const RerunSpeed& speed) {
        return std::abs(std::log(speed.evidence.ratio.value));
    };
    for (const RerunSpeed& speed : speeds) {
        if (speed.differs && (worst == nullptr || distance(speed) > distance(*worst)))
            worst = &speed;
    }
    if (worst == nullptr)
        return {};
    const auto count = std::count_if(speeds.begin(), speeds.end(),
                                     [](const RerunSpeed& speed) { return speed.differs; });
    const PlannedCell& cell = *analysis.find(worst->referenceId)->cell;
    return "the same work differs in speed: " + distinguish(analysis).of(cell) + " at batch " +
           std::to_string(cell.config.batch) + " was " +
           formatSignificant(worst->evidence.ratio.value, 3) +
           " times as fast when it ran again (" + std::to_string(count) + " of " +
           std::to_string(speeds.size()) +
           " reruns differ); smaller differences between other cells mean nothing";
}

}  // namespace qs::core
