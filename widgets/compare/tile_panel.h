#pragma once

#include "widgets/compare/compared_cells.h"

#include <QRect>
#include <QWidget>

#include <optional>
#include <string>

class QLabel;

namespace qs::widgets {

class TileStripView;

// The worst tiles of a comparison, one after the other, and a strip with the tile that was jumped
// to as every cell of the run made it.
class TilePanel final : public QWidget
{
    Q_OBJECT

public:
    // What is given must outlive the panel.
    TilePanel(const RunStore& store, const ComparedCells& cells, QWidget* parent = nullptr);

    // Goes to the next worst tile, after the last to the first; none where everything is equal.
    [[nodiscard]] std::optional<core::Tile> next(const Comparison& compared, int picture);
    // Of another comparison, next() begins with the worst again.
    void restart() { m_next = 0; }
    // The tile stays from cell to cell, so that the same place is seen in all of them.
    [[nodiscard]] const std::optional<core::Tile>& tile() const { return m_tile; }
    // That the tile was found in: in another picture it would be anywhere.
    [[nodiscard]] int picture() const { return m_picture; }
    // Where the tile is the worst one, if the cell compared is the one that it was found in.
    [[nodiscard]] std::optional<QRect> frame() const;
    void forgetTile() { m_tile.reset(); }
    void showStrip(bool wanted);
    [[nodiscard]] TileStripModel& strip() { return m_strip; }

Q_SIGNALS:
    void cellChosen(const QString& id);
    void cellChosenFor(int pin, const QString& id);

private:
    void fillStrip();

    const RunStore& m_store;
    const ComparedCells& m_cells;
    TileStripModel m_strip;
    QLabel* m_title;
    TileStripView* m_view;
    std::optional<core::Tile> m_tile;
    std::string m_cell;  // that the tile was found in
    int m_picture = 0;
    std::size_t m_next = 0;
};

}  // namespace qs::widgets
