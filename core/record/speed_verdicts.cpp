#include "core/record/speed_verdicts.h"

namespace qs::core {

namespace {

bool isCompared(const CellSummary& summary)
{
    return summary.cell != nullptr && summary.cell->possible() &&
           summary.cellId != summary.baselineId;
}

}  // namespace

void judgeSpeeds(std::vector<CellSummary>& cells)
{
    std::vector<CellSummary*> compared;
    std::vector<double> claims;
    for (CellSummary& summary : cells) {
        if (!isCompared(summary))
            continue;
        compared.push_back(&summary);
        claims.push_back(summary.claim ? summary.claim->evidence.claim() : 1.0);
    }
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < compared.size(); ++i) {
        CellSummary& summary = *compared[i];
        if (!summary.claim)
            continue;
        SpeedClaim& claim = *summary.claim;
        claim.adjustedChance = adjusted[i];
        claim.verdict = judge(claim.evidence, std::nullopt, adjusted[i]);
        claim.provisional = summary.roundsOk < summary.roundsPlanned;
    }
}

}  // namespace qs::core
