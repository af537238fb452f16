#pragma once

#include "widgets/compare/compare_controls.h"
#include "widgets/compare/compared_cells.h"
#include "widgets/compare/pane_grid.h"
#include "widgets/compare/picture_pane.h"

#include <QObject>

#include <array>
#include <vector>

namespace qs::widgets {

// All panes of a comparison, in the order in which they stand: input, reference, then of each cell
// its picture and its map, one of which takes the place of the other. Those that nobody wants to
// see are hidden.
class ComparePanes final : public QObject
{
    Q_OBJECT

public:
    // The panes become children of the grid. Everything given must outlive the object.
    ComparePanes(PaneGrid& grid, SharedView& view);

    [[nodiscard]] PicturePane& input() const { return *m_panes[0]; }
    [[nodiscard]] PicturePane& reference() const { return *m_panes[1]; }
    // Of the cell at a place of ComparedCells.
    [[nodiscard]] PicturePane& picture(int place) const;
    [[nodiscard]] PicturePane& map(int place) const;
    // That of the two which is shown.
    [[nodiscard]] PicturePane& seen(int place) const;
    [[nodiscard]] PicturePane& pinned(int pin) const;
    // Map is that of A.
    [[nodiscard]] PicturePane& pane(PaneRole role) const;
    [[nodiscard]] const std::vector<PicturePane*>& all() const { return m_panes; }

    // Shows these and no others; only the one that is alone, if it is among them.
    void showOnly(const std::vector<const PicturePane*>& wanted);
    // Only this pane, or all again if it is alone already; null: all.
    void setAlone(const PicturePane* pane) { m_alone = pane == m_alone ? nullptr : pane; }
    [[nodiscard]] bool isAnyAlone() const { return m_alone != nullptr; }
    [[nodiscard]] bool isAlone(const PicturePane& pane) const { return &pane == m_alone; }
    // That has the focus, or lies under the mouse; null for none.
    [[nodiscard]] const PicturePane* inHand() const;
    // Of the pane that zooming is about.
    [[nodiscard]] QSize viewport() const;

Q_SIGNALS:
    void regionDrawn();
    void removeWanted(int pin);
    void aloneWanted(const qs::widgets::PicturePane* pane);
    // A menu for its image, at this place of the screen.
    void menuWanted(const qs::widgets::PicturePane* pane, const QPoint& position);

private:
    PicturePane* add(const QString& name);
    // The map of a picture, or the other way round; null for other panes.
    [[nodiscard]] const PicturePane* counterpart(const PicturePane* pane) const;

    PaneGrid& m_grid;
    SharedView& m_view;
    std::vector<PicturePane*> m_panes;
    const PicturePane* m_alone = nullptr;
};

}  // namespace qs::widgets
