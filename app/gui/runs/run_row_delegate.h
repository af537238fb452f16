#pragma once

#include "widgets/table/severity_delegate.h"

namespace qs::app {

// Rows of the list of runs: severities and verdicts as in the table of cells, a button in the row
// of a run that can go on, and room to type names and tags where they stand.
class RunRowDelegate final : public widgets::SeverityDelegate
{
    Q_OBJECT

public:
    using SeverityDelegate::SeverityDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

    // What stands in the column of names: where the list has no column for the date, runs of one
    // name end with theirs.
    [[nodiscard]] static QString nameText(const QStyleOptionViewItem& option,
                                          const QModelIndex& index);
    // Where the button is; empty if the row has none.
    [[nodiscard]] static QRect resumeButton(const QStyleOptionViewItem& option,
                                            const QModelIndex& index);

Q_SIGNALS:
    void resumeClicked(const QModelIndex& index);
};

}  // namespace qs::app
