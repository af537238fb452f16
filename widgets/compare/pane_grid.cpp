#include "widgets/compare/pane_grid.h"

#include "widgets/compare/picture_pane.h"

#include <algorithm>
#include <limits>

namespace qs::widgets {

namespace {

constexpr int kGap = 4;

int rowsFor(int count, int columns)
{
    return (count + columns - 1) / columns;
}

int columnWidth(int columns, int width)
{
    return (width - (columns - 1) * kGap) / columns;
}

// Height of a picture, when the texts of all rows take `text`.
int pictureHeight(int rows, int height, int text)
{
    return (height - (rows - 1) * kGap - text) / rows;
}

}  // namespace

int bestColumns(int count, QSize area, const std::function<int(int columns, int width)>& textHeight)
{
    int best = 1;
    int bestSide = std::numeric_limits<int>::min();
    for (int columns = 1; columns <= count; ++columns) {
        const int width = columnWidth(columns, area.width());
        const int height =
            pictureHeight(rowsFor(count, columns), area.height(), textHeight(columns, width));
        const int side = std::min(width, height);
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

PaneGrid::Panes PaneGrid::shownPanes() const
{
    Panes shown;
    for (PicturePane* pane : m_panes) {
        if (!pane->isHidden())
            shown.push_back(pane);
    }
    return shown;
}

void PaneGrid::arrange()
{
    const Panes shown = shownPanes();
    if (shown.empty())
        return;
    const int count = static_cast<int>(shown.size());
    // Lines of text of the panes in each row: pictures of one row are aligned.
    const auto textRows = [&](int columns, int width) {
        std::vector<int> rows(static_cast<std::size_t>(rowsFor(count, columns)), 1);
        for (int i = 0; i < count; ++i) {
            int& row = rows[static_cast<std::size_t>(i / columns)];
            row = std::max(row, shown[static_cast<std::size_t>(i)]->texts().rowsAt(width));
        }
        return rows;
    };
    const auto textHeight = [&](int columns, int width) {
        int height = 0;
        for (const int rows : textRows(columns, width))
            height += shown.front()->texts().heightAt(width, rows);
        return height;
    };
    const int columns = bestColumns(count, size(), textHeight);
    const int width = columnWidth(columns, this->width());
    const std::vector<int> rows = textRows(columns, width);
    const int picture = std::max(
        0, pictureHeight(static_cast<int>(rows.size()), height(), textHeight(columns, width)));
    int top = 0;
    for (int i = 0; i < count; ++i) {
        PicturePane& pane = *shown[static_cast<std::size_t>(i)];
        const int row = rows[static_cast<std::size_t>(i / columns)];
        const int paneHeight = pane.texts().heightAt(width, row) + picture;
        pane.setTextRows(row);
        pane.setGeometry((i % columns) * (width + kGap), top, width, paneHeight);
        if (i % columns == columns - 1)
            top += paneHeight + kGap;
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
