#include "widgets/time/division_bar.h"

#include "widgets/time/division_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kGap = 3;
constexpr double kShortest = 2.0;  // pixels of a bar that there is

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
}

// The text where there is room for it, in the colour that can be read on the ground.
void paintShare(QPainter& painter, const QRectF& area, const QColor& ground, double share)
{
    painter.fillRect(area, ground);
    const QString text = QStringLiteral("%1 %").arg(qRound(100.0 * share));
    if (painter.fontMetrics().horizontalAdvance(text) + 2 * kGap > area.width())
        return;
    painter.setPen(ground.lightness() > 140 ? Qt::black : Qt::white);
    painter.drawText(area, Qt::AlignCenter, text);
}

}  // namespace

void DivisionBar::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle* style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &item, painter, item.widget);
    const auto shares = index.data(DivisionModel::SharesRole).value<WorkShares>();
    QRectF area = QRectF(option.rect).adjusted(kGap, kGap, -kGap, -kGap);
    if (m_toScale)
        area.setWidth(
            std::max(kShortest, area.width() * index.data(DivisionModel::LengthRole).toDouble()));
    painter->save();
    double left = area.left();
    for (const WorkShare& each : shares) {
        const double width = area.width() * each.share;
        paintShare(*painter, QRectF(left, area.top(), width, area.height()),
                   workPartColour(each.part, isDark(option.palette)), each.share);
        left += width;
    }
    painter->restore();
}

}  // namespace qs::widgets

#include "moc_division_bar.cpp"
