#pragma once

#include "widgets/models/cell_text.h"
#include "widgets/models/verdict_tone.h"

#include <QColor>
#include <QPalette>
#include <QStyledItemDelegate>

namespace qs::widgets {

// A colour of text on the palette's base; the palette's own for Severity::Ok.
[[nodiscard]] QColor severityColor(Severity severity, const QPalette& palette);

// Ground and text of a badge that reads on any row, selected or not.
struct BadgeColours {
    QColor ground;
    QColor text;
};
[[nodiscard]] BadgeColours badgeColours(VerdictTone tone, bool dark);

// Colours the text of a cell by its severity and paints verdicts as badges. The words say the same,
// so nothing hangs on the colour alone.
class SeverityDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace qs::widgets
