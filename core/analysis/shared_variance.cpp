#include "core/analysis/shared_variance.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

using Group = std::vector<CellSummary*>;

// What can be shared: rounds in pairs, enough of them to be judged.
bool isPaired(const RatioEvidence& evidence)
{
    return evidence.paired && evidence.ratio.count >= VerdictRule().fewestRounds;
}

std::size_t baselinesOf(const Group& group)
{
    std::set<std::string_view> ids;
    for (const CellSummary* summary : group)
        ids.insert(summary->baselineId);
    return ids.size();
}

// `evidenceOf`: of a claim, or null.
template <typename EvidenceOf>
void shareAmong(const Group& all, EvidenceOf evidenceOf)
{
    Group group;
    std::vector<VarianceSample> samples;
    for (CellSummary* summary : all) {
        RatioEvidence* evidence = evidenceOf(*summary->claim);
        if (evidence == nullptr || !isPaired(*evidence))
            continue;
        group.push_back(summary);
        samples.push_back(evidence->logVariance);
    }
    if (group.empty())
        return;
    const VariancePrior prior = fitVariancePrior(samples, baselinesOf(group));
    for (CellSummary* summary : group) {
        RatioEvidence& evidence = *evidenceOf(*summary->claim);
        evidence = moderated(evidence, prior);
    }
}

}  // namespace

void shareVariances(std::vector<CellSummary*>& compared)
{
    std::map<std::pair<std::string_view, std::string_view>, Group> groups;
    for (CellSummary* summary : compared) {
        if (summary->claim)
            groups[{summary->environmentId, summary->cell->config.device}].push_back(summary);
    }
    for (const auto& [key, group] : groups) {
        shareAmong(group, [](SpeedClaim& claim) { return &claim.evidence; });
        shareAmong(group,
                   [](SpeedClaim& claim) { return claim.cycles ? &*claim.cycles : nullptr; });
        for (CellSummary* summary : group) {
            if (summary->speedupInterval)
                summary->speedupInterval = summary->claim->evidence.ratio.interval;
        }
    }
}

}  // namespace qs::core
