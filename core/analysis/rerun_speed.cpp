#include "core/analysis/rerun_speed.h"

#include "core/analysis/round_pairs.h"

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

double largestRerunRatio(const Analysis& analysis)
{
    double largest = 1.0;
    for (const RerunSpeed& speed : rerunSpeeds(analysis)) {
        const double ratio = speed.evidence.ratio.value;
        if (speed.differs)
            largest = std::max({largest, ratio, 1.0 / ratio});
    }
    return largest;
}

}  // namespace qs::core
