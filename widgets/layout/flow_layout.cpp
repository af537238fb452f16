#include "widgets/layout/flow_layout.h"

#include <QWidget>

#include <algorithm>
#include <utility>

namespace qs::widgets {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), m_gap(gap)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    // Qt asks beyond the end to find it.
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    const auto at = m_items.begin() + index;
    QLayoutItem* item = at->release();
    m_items.erase(at);
    return item;
}

int FlowLayout::heightForWidth(int width) const
{
    return arrange({0, 0, width, 0}, false);
}

QSize FlowLayout::sizeHint() const
{
    return minimumSize();
}

QSize FlowLayout::minimumSize() const
{
    QSize largest;
    for (const auto& item : m_items) {
        if (!item->isEmpty())
            largest = largest.expandedTo(item->minimumSize());
    }
    return largest;
}

void FlowLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    arrange(area, true);
}

int FlowLayout::arrange(const QRect& area, bool place) const
{
    std::vector<std::pair<QLayoutItem*, QRect>> row;
    int x = area.x();
    int y = area.y();
    int rowHeight = 0;
    // Upon one middle line, whatever their heights.
    const auto endRow = [&] {
        for (const auto& [item, size] : row) {
            if (place)
                item->setGeometry(size.translated(0, y + (rowHeight - size.height()) / 2));
        }
        row.clear();
    };
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint().boundedTo({std::max(1, area.width()), QWIDGETSIZE_MAX});
        if (!row.empty() && x + size.width() > area.x() + area.width()) {
            endRow();
            x = area.x();
            y += rowHeight + m_gap;
            rowHeight = 0;
        }
        row.emplace_back(item.get(), QRect({x, 0}, size));
        x += size.width() + m_gap;
        rowHeight = std::max(rowHeight, size.height());
    }
    endRow();
    return y + rowHeight - area.y();
}

}  // namespace qs::widgets
