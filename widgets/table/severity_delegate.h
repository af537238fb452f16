#pragma once

#include "widgets/models/cell_text.h"

#include <QColor>
#include <QPalette>
#include <QStyledItemDelegate>

namespace qs::widgets {

// A colour of text on the palette's base; the palette's own for Severity::Ok.
[[nodiscard]] QColor severityColor(Severity severity, const QPalette& palette);

// Colours the text of a cell by its severity. The words say the same, so nothing hangs on the
// colour alone.
class SeverityDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace qs::widgets
