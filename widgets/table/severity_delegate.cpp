#include "widgets/table/severity_delegate.h"

#include "widgets/models/cell_table_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kBadgePadding = 6;  // left and right of the words
constexpr int kBadgeGap = 2;      // to the neighbouring rows

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
}

VerdictTone toneOf(const QModelIndex& index)
{
    return static_cast<VerdictTone>(index.data(CellTableModel::VerdictToneRole).toInt());
}

}  // namespace

BadgeColours badgeColours(VerdictTone tone, bool dark)
{
    // Contrasts of 6 : 1 and more.
    switch (tone) {
    case VerdictTone::Better:
        return dark ? BadgeColours{QColor(0x1c, 0x4a, 0x2c), QColor(0xb9, 0xf0, 0xc8)}
                    : BadgeColours{QColor(0xd3, 0xee, 0xda), QColor(0x12, 0x4d, 0x28)};
    case VerdictTone::Worse:
        return dark ? BadgeColours{QColor(0x5a, 0x21, 0x1b), QColor(0xff, 0xcd, 0xc4)}
                    : BadgeColours{QColor(0xf9, 0xdb, 0xd7), QColor(0x86, 0x1a, 0x11)};
    case VerdictTone::Open:
        return dark ? BadgeColours{QColor(0x4a, 0x3e, 0x17), QColor(0xf2, 0xda, 0x94)}
                    : BadgeColours{QColor(0xf7, 0xec, 0xc4), QColor(0x62, 0x47, 0x00)};
    case VerdictTone::Even:
    case VerdictTone::None:
        break;
    }
    return dark ? BadgeColours{QColor(0x3b, 0x42, 0x4a), QColor(0xde, 0xe3, 0xe8)}
                : BadgeColours{QColor(0xe1, 0xe6, 0xeb), QColor(0x2c, 0x33, 0x3a)};
}

QColor severityColor(Severity severity, const QPalette& palette)
{
    const bool dark = isDark(palette);
    // Both pairs have a contrast of more than 4.5 : 1 to the usual light and dark bases.
    switch (severity) {
    case Severity::Ok:
        return palette.color(QPalette::Text);
    case Severity::Muted:
        return palette.color(QPalette::PlaceholderText);
    case Severity::Warning:
        return dark ? QColor(0xe6, 0xb4, 0x50) : QColor(0x8a, 0x55, 0x00);
    case Severity::Error:
        return dark ? QColor(0xff, 0x8a, 0x75) : QColor(0xb3, 0x26, 0x1e);
    }
    return palette.color(QPalette::Text);
}

void SeverityDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    const VerdictTone tone = toneOf(index);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    if (tone == VerdictTone::None || item.text.isEmpty())
        return QStyledItemDelegate::paint(painter, option, index);
    const QString text = std::exchange(item.text, QString());
    const QStyle* style = item.widget == nullptr ? QApplication::style() : item.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const BadgeColours colours = badgeColours(tone, isDark(item.palette));
    QRect badge = item.rect.adjusted(kBadgeGap, kBadgeGap, -kBadgeGap, -kBadgeGap);
    const int wanted =
        std::min(badge.width(), item.fontMetrics.horizontalAdvance(text) + 2 * kBadgePadding);
    // A number ends where the numbers of its column end.
    if (item.displayAlignment.testFlag(Qt::AlignRight))
        badge.setLeft(badge.right() - wanted + 1);
    else
        badge.setWidth(wanted);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours.ground);
    painter->drawRoundedRect(badge, badge.height() / 3.0, badge.height() / 3.0);
    painter->setPen(colours.text);
    // Letters may reach a pixel beyond their advance.
    QRect words = badge.adjusted(kBadgePadding, 0, 2 - kBadgePadding, 0);
    // On one line with the words of the other columns, which the style places in the whole row.
    words = QStyle::alignedRect(Qt::LeftToRight, Qt::AlignVCenter,
                                {words.width(), item.fontMetrics.height()},
                                {words.left(), item.rect.top(), words.width(), item.rect.height()});
    painter->drawText(words, Qt::AlignLeft | Qt::AlignTop,
                      item.fontMetrics.elidedText(text, Qt::ElideRight, words.width()));
    painter->restore();
}

QSize SeverityDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (toneOf(index) != VerdictTone::None)
        size.rwidth() += 2 * (kBadgePadding + kBadgeGap);
    return size;
}

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto severity = static_cast<Severity>(index.data(CellTableModel::SeverityRole).toInt());
    if (severity != Severity::Ok)
        option->palette.setColor(QPalette::Text, severityColor(severity, option->palette));
}

}  // namespace qs::widgets

#include "moc_severity_delegate.cpp"
