#pragma once

#include <QStyledItemDelegate>

namespace qs::widgets {

// Draws the shares of a cell as a stacked bar.
class DivisionBar final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    // As long as the time per unit, or all of one length.
    void setToScale(bool toScale) { m_toScale = toScale; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    bool m_toScale = true;
};

}  // namespace qs::widgets
