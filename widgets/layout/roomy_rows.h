#pragma once

#include <QStyledItemDelegate>

namespace qs::widgets {

// Rows half a line higher than their text, as those of the table are: long lines of numbers are
// hard to follow when they stand as close as the style sets them.
class RoomyRows final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;
};

}  // namespace qs::widgets
