#include "widgets/compare/tile_panel.h"

#include "widgets/compare/compare_heading.h"
#include "widgets/compare/tile_strip_view.h"

#include <QLabel>
#include <QVBoxLayout>

namespace qs::widgets {

TilePanel::TilePanel(const RunStore& store, const ComparedCells& cells, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_cells(cells),
      m_title(makeParagraph(QStringLiteral("stripTitle"))),
      m_view(new TileStripView)
{
    m_view->setModel(&m_strip);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_view);
    hide();
    connect(m_view, &TileStripView::chosen, this,
            [this](int row) { Q_EMIT cellChosen(m_strip.cellAt(row)); });
    connect(m_view, &TileStripView::chosenFor, this,
            [this](int row, int pin) { Q_EMIT cellChosenFor(pin, m_strip.cellAt(row)); });
    connect(&store, &RunStore::runReplaced, this, [this] {
        m_strip.clear();
        m_tile.reset();
    });
}

std::optional<core::Tile> TilePanel::next(const Comparison& compared, int picture)
{
    if (compared.identical || compared.worstTiles.empty())
        return std::nullopt;
    m_tile = compared.worstTiles[m_next % compared.worstTiles.size()];
    m_next = (m_next + 1) % compared.worstTiles.size();
    m_picture = picture;
    const core::PlannedCell* cell = m_cells.cell(ComparedCells::kA);
    m_cell = cell != nullptr ? cell->id : std::string();
    return m_tile;
}

std::optional<QRect> TilePanel::frame() const
{
    const core::PlannedCell* cell = m_cells.cell(ComparedCells::kA);
    if (!m_tile || cell == nullptr || cell->id != m_cell)
        return std::nullopt;
    return QRect(m_tile->x, m_tile->y, m_tile->width, m_tile->height);
}

void TilePanel::showStrip(bool wanted)
{
    const bool shown = wanted && m_tile.has_value() && m_cells.has(ComparedCells::kA);
    if (shown)
        fillStrip();
    setVisible(shown);
}

void TilePanel::fillStrip()
{
    const StripRequest request = m_cells.stripRequest(m_picture, *m_tile);
    const bool begins = request != m_strip.current();
    m_strip.request(request);
    // A run may have hundreds of cells: begin where the selected one is.
    for (int row = 0; begins && row < m_strip.rowCount(); ++row) {
        if (m_strip.cellAt(row) != m_store.selectedCell())
            continue;
        m_view->setCurrentIndex(m_strip.index(row));
        m_view->scrollTo(m_strip.index(row), QAbstractItemView::PositionAtCenter);
    }
    std::vector<std::pair<std::string, QString>> badges;
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        // The strip has the cells of the run in view.
        if (const core::PlannedCell* cell = m_cells.cell(place);
            cell != nullptr && !m_cells.isOfOtherRun(place))
            badges.emplace_back(cell->id, ComparedCells::label(place));
    }
    m_strip.setBadges(badges);
    m_title->setText(
        tr("This tile (%1 × %2 px at x %3, y %4) in all %5 cells: click a tile to pin its cell")
            .arg(m_tile->width)
            .arg(m_tile->height)
            .arg(m_tile->x)
            .arg(m_tile->y)
            .arg(m_strip.rowCount()));
}

}  // namespace qs::widgets

#include "moc_tile_panel.cpp"
