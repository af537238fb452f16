#include "core/analysis/speed_verdicts.h"

#include "core/analysis/shared_variance.h"

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

// By how many the chance of each is multiplied: those whose claims are no stronger.
std::vector<int> rivalsOf(const std::vector<double>& claims)
{
    std::vector<double> ascending = claims;
    std::sort(ascending.begin(), ascending.end());
    std::vector<int> rivals;
    for (const double claim : claims)
        rivals.push_back(static_cast<int>(
            ascending.end() - std::lower_bound(ascending.begin(), ascending.end(), claim)));
    return rivals;
}

bool isOpenVerdict(Verdict verdict)
{
    return verdict == Verdict::Ambiguous || verdict == Verdict::TooFewRounds;
}

// At the given weights of the looks.
std::vector<double> claimsOf(const std::vector<CellSummary*>& compared, const VerdictRule& rule)
{
    std::vector<double> claims;
    for (const CellSummary* summary : compared) {
        const auto& claim = summary->claim;
        claims.push_back(
            claim ? std::min(1.0, claim->evidence.claim() * weightOfLook(rule, claim->look)) : 1.0);
    }
    return claims;
}

}  // namespace

void judgeSpeeds(std::vector<CellSummary>& cells, const std::vector<Look>& looks)
{
    const VerdictRule rule;
    const auto taken = looksTaken(cells, looks);
    std::vector<CellSummary*> compared;
    for (CellSummary& summary : cells) {
        if (!isCompared(summary))
            continue;
        compared.push_back(&summary);
        const auto look = taken.find(summary.cellId);
        if (summary.claim && look != taken.end())
            summary.claim->look = look->second;
    }
    shareVariances(compared);
    const std::vector<double> claims = claimsOf(compared, rule);
    const std::vector<double> adjusted = holmAdjusted(claims);
    const std::vector<int> rivals = rivalsOf(claims);
    for (std::size_t i = 0; i < compared.size(); ++i) {
        CellSummary& summary = *compared[i];
        if (!summary.claim)
            continue;
        SpeedClaim& claim = *summary.claim;
        claim.pValue = adjusted[i];
        claim.verdict = judge(claim.evidence, claim.cycles,
                              adjusted[i] / weightOfLook(rule, claim.look), claim.look, rule);
        claim.provisional = summary.roundsOk < summary.roundsPlanned;
        // Rounds that are planned belong to this look; more would be the next.
        if (isOpenVerdict(claim.verdict))
            claim.outlook = outlookOf(claim.evidence, claim.cycles, rivals[i],
                                      claim.look + (claim.provisional ? 0 : 1), rule);
    }
}

}  // namespace qs::core
