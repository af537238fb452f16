#include "widgets/compare/pane_grid.h"

#include "widgets/compare/picture_pane.h"

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kGap = 4;

int rowsFor(int count, int columns)
{
    return (count + columns - 1) / columns;
}

QSize cellSize(int count, int columns, QSize area)
{
    const int rows = rowsFor(count, columns);
    return {(area.width() - (columns - 1) * kGap) / columns,
            (area.height() - (rows - 1) * kGap) / rows};
}

}  // namespace

int bestColumns(int count, QSize area, const std::function<int(int)>& textHeight)
{
    int best = 1;
    int bestSide = -1;
    for (int columns = 1; columns <= count; ++columns) {
        const QSize cell = cellSize(count, columns, area);
        const int side = std::min(cell.width(), cell.height() - textHeight(cell.width()));
        if (side >= bestSide) {
            best = columns;
            bestSide = side;
        }
    }
    return best;
}

PaneGrid::PaneGrid(QWidget* parent) : QWidget(parent) {}

void PaneGrid::addPane(PicturePane* pane)
{
    pane->setParent(this);
    m_panes.push_back(pane);
}

std::vector<PicturePane*> PaneGrid::shownPanes() const
{
    std::vector<PicturePane*> shown;
    for (PicturePane* pane : m_panes) {
        if (!pane->isHidden())
            shown.push_back(pane);
    }
    return shown;
}

void PaneGrid::arrange()
{
    const std::vector<PicturePane*> shown = shownPanes();
    if (shown.empty())
        return;
    const auto rowsAt = [&](int width) {
        int rows = 1;
        for (const PicturePane* pane : shown)
            rows = std::max(rows, pane->textRowsAt(width));
        return rows;
    };
    const int count = static_cast<int>(shown.size());
    const int columns = bestColumns(
        count, size(), [&](int width) { return shown.front()->textHeight(width, rowsAt(width)); });
    const QSize cell = cellSize(count, columns, size());
    const int rows = rowsAt(cell.width());
    for (int i = 0; i < count; ++i) {
        const QPoint corner((i % columns) * (cell.width() + kGap),
                            (i / columns) * (cell.height() + kGap));
        PicturePane& pane = *shown[static_cast<std::size_t>(i)];
        pane.setTextRows(rows);
        pane.setGeometry({corner, cell});
    }
    Q_EMIT arranged();
}

QSize PaneGrid::sizeHint() const
{
    return {900, 420};
}

QSize PaneGrid::minimumSizeHint() const
{
    return {200, 300};
}

void PaneGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace qs::widgets
