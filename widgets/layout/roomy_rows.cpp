#include "widgets/layout/roomy_rows.h"

#include <algorithm>

namespace qs::widgets {

QSize RoomyRows::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize usual = QStyledItemDelegate::sizeHint(option, index);
    return {usual.width(), std::max(usual.height(), option.fontMetrics.height() * 3 / 2)};
}

}  // namespace qs::widgets

#include "moc_roomy_rows.cpp"
