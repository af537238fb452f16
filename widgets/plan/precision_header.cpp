#include "widgets/plan/precision_header.h"

#include "widgets/plan/precision_pairs.h"

#include <QPainter>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kMargin = 3;
constexpr int kLongestTitle = 22;  // letters

QString dots()
{
    return QStringLiteral(" …");
}

}  // namespace

PrecisionHeader::PrecisionHeader(Qt::Orientation orientation, QWidget* parent)
    : QHeaderView(orientation, parent)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setSectionsClickable(true);
}

void PrecisionHeader::setPointed(int section)
{
    if (section == m_pointed)
        return;
    m_pointed = section;
    viewport()->update();
}

QString PrecisionHeader::title(int section) const
{
    const QString whole = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    return fontMetrics().elidedText(whole, Qt::ElideMiddle,
                                    fontMetrics().averageCharWidth() * kLongestTitle);
}

int PrecisionHeader::lengthOf(int section) const
{
    return fontMetrics().horizontalAdvance(title(section)) +
           fontMetrics().horizontalAdvance(dots()) + 2 * kMargin;
}

QSize PrecisionHeader::sizeHint() const
{
    int longest = 0;
    for (int i = 0; i < count(); ++i)
        longest = std::max(longest, lengthOf(i));
    const QSize usual = QHeaderView::sizeHint();
    return orientation() == Qt::Horizontal ? QSize(usual.width(), longest)
                                           : QSize(longest, usual.height());
}

void PrecisionHeader::paintSection(QPainter* painter, const QRect& area, int section) const
{
    painter->save();
    const bool pointed = section == m_pointed;
    if (pointed)
        painter->fillRect(area, palette().color(QPalette::Highlight));
    QRect line = area;
    if (orientation() == Qt::Horizontal) {
        painter->translate(area.bottomLeft());
        painter->rotate(-90);
        line = QRect(0, 0, area.height(), area.width());
    }
    line.adjust(kMargin, 0, -kMargin, 0);
    const QPalette::ColorRole role = pointed ? QPalette::HighlightedText : QPalette::Text;
    painter->setPen(palette().color(role));
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title(section));
    if (orientation() == Qt::Vertical &&
        model()->headerData(section, orientation(), PrecisionPairs::kHasOptionsRole).toBool())
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("…"));
    painter->restore();
}

}  // namespace qs::widgets

#include "moc_precision_header.cpp"
