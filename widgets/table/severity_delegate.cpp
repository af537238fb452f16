#include "widgets/table/severity_delegate.h"

#include "widgets/models/cell_table_model.h"

namespace qs::widgets {

QColor severityColor(Severity severity, const QPalette& palette)
{
    const bool dark =
        palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
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

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto severity = static_cast<Severity>(index.data(CellTableModel::SeverityRole).toInt());
    if (severity != Severity::Ok)
        option->palette.setColor(QPalette::Text, severityColor(severity, option->palette));
}

}  // namespace qs::widgets
