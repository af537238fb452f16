#include "widgets/compare/region_scorer.h"

#include <utility>

namespace qs::widgets {

namespace {

std::optional<core::RegionScore> score(const ScoredPair& pair, const core::Region& region)
{
    if (pair.picture == nullptr || pair.reference == nullptr || pair.comparison == nullptr)
        return std::nullopt;
    const core::Result<core::RegionScore> scored =
        core::scoreRegion(*pair.picture, *pair.reference, pair.comparison->dissimilarity, region);
    if (!scored.ok())
        return std::nullopt;
    core::RegionScore value = scored.value();
    // The comparison keeps 1 - SSIM.
    if (value.ssim)
        value.ssim = 1.0 - *value.ssim;
    return value;
}

}  // namespace

void RegionScorer::request(std::vector<ScoredPair> pairs, const core::Region& region)
{
    m_task.start(
        this,
        [pairs = std::move(pairs), region](const auto& wanted) {
            Scores scores;
            for (const ScoredPair& pair : pairs)
                scores.push_back(wanted() ? score(pair, region) : std::nullopt);
            return scores;
        },
        [this](const Scores& scores) {
            m_scores = scores;
            Q_EMIT scored();
        });
}

void RegionScorer::clear()
{
    m_task.drop();
    m_scores.clear();
}

}  // namespace qs::widgets
