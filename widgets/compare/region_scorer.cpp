#include "widgets/compare/region_scorer.h"

#include <memory>
#include <utility>

namespace qs::widgets {

namespace {

// A cell's picture beside its reference; null where there is none.
struct ScoredPair {
    std::shared_ptr<const core::Picture> picture;
    std::shared_ptr<const core::Picture> reference;
    std::shared_ptr<const Comparison> comparison;  // of the two
};

std::optional<core::RegionScore> scoreOf(const ScoredPair& pair, const core::Region& region)
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

RegionScorer::RegionScorer(SharedView& view, const ComparedCells& cells, const PictureSet& pictures)
    : m_view(view), m_cells(cells), m_pictures(pictures)
{
}

void RegionScorer::setOn(bool on)
{
    m_view.setDrawingRegion(on);
    m_view.setRegion(on ? m_view.mark() : std::nullopt);
    clear();
    score();
}

void RegionScorer::score()
{
    const auto drawn = m_view.region();
    const auto loaded = m_pictures.current();
    if (!drawn || loaded == nullptr)
        return clear();
    std::vector<ScoredPair> pairs;
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        const LoadedCell cell = loadedCell(loaded.get(), m_cells, place);
        pairs.push_back(cell.source == nullptr
                            ? ScoredPair{}
                            : ScoredPair{cell.content->picture, loaded->reference.picture,
                                         cell.toReference->value});
    }
    const core::Region region{drawn->x(), drawn->y(), drawn->width(), drawn->height()};
    m_task.start(
        this,
        [pairs = std::move(pairs), region](const auto& wanted) {
            Scores scores;
            for (const ScoredPair& pair : pairs)
                scores.push_back(wanted() ? scoreOf(pair, region) : std::nullopt);
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

#include "moc_region_scorer.cpp"
