#include "widgets/layout/flow_layout.h"

#include <QLabel>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

bool isLabelOf(const QWidget* label, const QWidget* field)
{
    const auto* words = qobject_cast<const QLabel*>(label);
    return words != nullptr && field != nullptr && words->buddy() == field;
}

// Neighbours, one of which names the other.
bool stayTogether(const QLayoutItem& first, const QLayoutItem& second)
{
    return isLabelOf(first.widget(), second.widget()) || isLabelOf(second.widget(), first.widget());
}

QSize sizeWithin(int width, const QLayoutItem& item)
{
    return item.sizeHint().boundedTo({std::max(1, width), QWIDGETSIZE_MAX});
}

}  // namespace

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

std::vector<QLayoutItem*> FlowLayout::shownItems() const
{
    std::vector<QLayoutItem*> items;
    for (const auto& item : m_items) {
        if (!item->isEmpty())
            items.push_back(item.get());
    }
    return items;
}

// Of the item and, where a row may end before it, of what stays with it.
int FlowLayout::widthOfUnit(const std::vector<QLayoutItem*>& items, std::size_t begin,
                            int room) const
{
    int width = sizeWithin(room, *items[begin]).width();
    if (begin > 0 && stayTogether(*items[begin - 1], *items[begin]))
        return width;
    for (std::size_t i = begin + 1; i < items.size() && stayTogether(*items[i - 1], *items[i]); ++i)
        width += m_gap + sizeWithin(room, *items[i]).width();
    return width;
}

int FlowLayout::arrange(const QRect& area, bool place) const
{
    const std::vector<QLayoutItem*> items = shownItems();
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
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QSize size = sizeWithin(area.width(), *items[i]);
        if (!row.empty() && x + widthOfUnit(items, i, area.width()) > area.x() + area.width()) {
            endRow();
            x = area.x();
            y += rowHeight + m_gap;
            rowHeight = 0;
        }
        row.emplace_back(items[i], QRect({x, 0}, size));
        x += size.width() + m_gap;
        rowHeight = std::max(rowHeight, size.height());
    }
    endRow();
    return y + rowHeight - area.y();
}

}  // namespace qs::widgets
