#pragma once

#include "core/image/region.h"
#include "widgets/background/latest_task.h"
#include "widgets/compare/compared_cells.h"
#include "widgets/compare/picture_set.h"
#include "widgets/compare/shared_view.h"

#include <optional>
#include <vector>

namespace qs::widgets {

// Scores the region that a person draws, in the pictures of all cells, on a worker. Lives on the
// GUI thread.
class RegionScorer final : public QObject
{
    Q_OBJECT

public:
    // One per place of ComparedCells, empty where there is nothing to score.
    using Scores = std::vector<std::optional<core::RegionScore>>;

    // Everything given must outlive the object.
    RegionScorer(SharedView& view, const ComparedCells& cells, const PictureSet& pictures);

    // Dragging in a pane draws the region from now on; without a mouse the marked tile is it.
    void setOn(bool on);
    // Anew: the region or the pictures are others.
    void score();
    // Of the last region that was answered for; empty without one.
    [[nodiscard]] const Scores& current() const { return m_scores; }
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }

Q_SIGNALS:
    void scored();

private:
    void clear();

    SharedView& m_view;
    const ComparedCells& m_cells;
    const PictureSet& m_pictures;
    Scores m_scores;
    LatestTask<Scores> m_task;
};

}  // namespace qs::widgets
