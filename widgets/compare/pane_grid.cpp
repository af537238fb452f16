#include "widgets/compare/pane_grid.h"

#include "widgets/compare/picture_pane.h"

#include <algorithm>
#include <limits>

namespace qs::widgets {

namespace {

constexpr int kPaneGap = 4;

int rowsFor(int count, int columns)
{
    return (count + columns - 1) / columns;
}

// What each of `count` gets of a length, with gaps between them.
int share(int count, int length)
{
    return (length - (count - 1) * kPaneGap) / count;
}

}  // namespace

int bestColumns(int count, QSize area, int textHeight)
{
    int best = 1;
    int bestSide = std::numeric_limits<int>::min();
    for (int columns = 1; columns <= count; ++columns) {
        const int side = std::min(share(columns, area.width()),
                                  share(rowsFor(count, columns), area.height()) - textHeight);
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
    const int columns = bestColumns(count, size(), shown.front()->texts().height());
    const int width = share(columns, this->width());
    const int height = std::max(0, share(rowsFor(count, columns), this->height()));
    for (int i = 0; i < count; ++i)
        shown[static_cast<std::size_t>(i)]->setGeometry(
            (i % columns) * (width + kPaneGap), (i / columns) * (height + kPaneGap), width, height);
    Q_EMIT arranged();
}

QSize PaneGrid::sizeHint() const
{
    return {900, 420};
}

QSize PaneGrid::minimumSizeHint() const
{
    return {200, 120};
}

void PaneGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace qs::widgets

#include "moc_pane_grid.cpp"
