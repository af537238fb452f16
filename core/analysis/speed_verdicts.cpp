#include "core/analysis/speed_verdicts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace qs::core {

namespace {

bool isCompared(const CellSummary& summary)
{
    return summary.cell != nullptr && summary.cell->possible() &&
           summary.cellId != summary.baselineId;
}

bool hasRoundIn(const CellSummary& summary, const RoundSpan& span)
{
    return std::any_of(summary.roundSeconds.begin(), summary.roundSeconds.end(),
                       [&](const RoundSeconds& each) {
                           return each.round >= span.first && each.round < span.end();
                       });
}

// How often each comparison was given further rounds of which one is there, by cell.
std::unordered_map<std::string_view, int> looksTaken(const std::vector<CellSummary>& cells,
                                                     const std::vector<Look>& looks)
{
    std::unordered_map<std::string_view, const CellSummary*> summaries;
    if (!looks.empty()) {
        for (const CellSummary& summary : cells)
            summaries.emplace(summary.cellId, &summary);
    }
    std::unordered_map<std::string_view, int> taken;
    for (const Look& look : looks) {
        for (const std::string& id : look.cellIds) {
            const auto summary = summaries.find(id);
            if (summary != summaries.end() && hasRoundIn(*summary->second, look.rounds))
                ++taken[id];
        }
    }
    return taken;
}

}  // namespace

void judgeSpeeds(std::vector<CellSummary>& cells, const std::vector<Look>& looks)
{
    const VerdictRule rule;
    const auto taken = looksTaken(cells, looks);
    std::vector<CellSummary*> compared;
    std::vector<double> claims;
    for (CellSummary& summary : cells) {
        if (!isCompared(summary))
            continue;
        compared.push_back(&summary);
        claims.push_back(1.0);
        if (!summary.claim)
            continue;
        const auto look = taken.find(summary.cellId);
        summary.claim->look = look == taken.end() ? 0 : look->second;
        claims.back() = std::min(1.0, summary.claim->evidence.claim() *
                                          weightOfLook(rule, summary.claim->look));
    }
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < compared.size(); ++i) {
        CellSummary& summary = *compared[i];
        if (!summary.claim)
            continue;
        SpeedClaim& claim = *summary.claim;
        claim.pValue = adjusted[i];
        claim.verdict = judge(claim.evidence, claim.cycles,
                              adjusted[i] / weightOfLook(rule, claim.look), claim.look, rule);
        claim.provisional = summary.roundsOk < summary.roundsPlanned;
    }
}

}  // namespace qs::core
