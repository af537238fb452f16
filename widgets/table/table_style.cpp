#include "widgets/table/table_style.h"

#include "widgets/layout/style_name.h"

#include <QApplication>
#include <QStyleOption>

namespace qs::widgets {

namespace {

// Beside the margins of the style itself, which are a pixel wider in cells than in headings.
constexpr int kCellPadding = 2;
constexpr int kHeadingPadding = 3;

}  // namespace

TableStyle::TableStyle(QObject* parent) : QProxyStyle(nameOfStyle(*QApplication::style()))
{
    setParent(parent);
}

int TableStyle::cellPadding() const
{
    return m_tight ? 0 : kCellPadding;
}

int TableStyle::headingPadding() const
{
    return m_tight ? kHeadingPadding - kCellPadding : kHeadingPadding;
}

// Styles ask for the place of a heading's words without asking their proxy.
void TableStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const
{
    const auto* heading = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (element != CE_HeaderLabel || heading == nullptr)
        return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionHeader inset = *heading;
    inset.rect.adjust(headingPadding(), 0, -headingPadding(), 0);
    QProxyStyle::drawControl(element, &inset, painter, widget);
}

QRect TableStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    return element == SE_ItemViewItemText ? rect.adjusted(cellPadding(), 0, -cellPadding(), 0)
                                          : rect;
}

QSize TableStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const
{
    QSize needed = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_HeaderSection)
        needed.rwidth() += 2 * headingPadding();
    if (type == CT_ItemViewItem)
        needed.rwidth() += 2 * cellPadding();
    return needed;
}

}  // namespace qs::widgets

#include "moc_table_style.cpp"
