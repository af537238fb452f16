#pragma once

#include "widgets/compare/compare_controls.h"
#include "widgets/compare/compare_panes.h"
#include "widgets/compare/map_drawer.h"
#include "widgets/compare/picture_set.h"

namespace qs::widgets {

// The maps of the cells that are seen: where each differs from the reference, all under one scale.
class CompareMaps final : public QObject
{
    Q_OBJECT

public:
    // Everything given must outlive the object.
    CompareMaps(const ComparedCells& cells, const PictureSet& pictures,
                const CompareControls& controls, const ComparePanes& panes);

    // What the map of the cell at a place shows; null for none.
    [[nodiscard]] const ComparisonContent* comparison(int place) const;
    [[nodiscard]] bool isWanted(int place) const;
    // Draws those that are wanted, on a worker.
    void draw();
    void clear() { m_drawer.clear(); }
    [[nodiscard]] bool isBusy() const { return m_drawer.isBusy(); }
    [[nodiscard]] const std::vector<DrawnMap>& drawn() const { return m_drawer.current(); }
    [[nodiscard]] MapScale scale() const { return m_drawer.scale(); }
    // Some map has values beyond the scale.
    [[nodiscard]] bool isClipped() const;

Q_SIGNALS:
    void shown();

private:
    void show();
    void showMap(int place, const DrawnMap& drawn);

    const ComparedCells& m_cells;
    const PictureSet& m_pictures;
    const CompareControls& m_controls;
    const ComparePanes& m_panes;
    MapDrawer m_drawer;
};

}  // namespace qs::widgets
