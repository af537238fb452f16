#pragma once

#include "widgets/models/cell_column.h"

#include <QFrame>
#include <QString>

#include <vector>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace qs::widgets {

// A column that can be shown or hidden.
struct ColumnChoice {
    int column = -1;
    QString title;
    QString explanation;
    ColumnGroup group = ColumnGroup::Configuration;
    bool shown = false;
    bool fixed = false;  // cannot be hidden
};

// The columns of a table in groups, with a search. Stays open while columns are ticked; a click
// beside it or Escape closes it.
class ColumnChooser final : public QFrame
{
    Q_OBJECT

public:
    explicit ColumnChooser(const std::vector<ColumnChoice>& choices, QWidget* parent);

    // Shown again after somebody else changed what is shown.
    void setShown(int column, bool shown);

Q_SIGNALS:
    void toggled(int column, bool shown);
    void standardWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const std::vector<ColumnChoice>& choices);
    void search(const QString& words);
    void tick(QTreeWidgetItem* item);

    QLineEdit* m_search = nullptr;
    QTreeWidget* m_tree = nullptr;
    QTreeWidgetItem* m_ticked = nullptr;  // by the click that is being handled
    bool m_quiet = false;                 // ticks come from the program
};

}  // namespace qs::widgets
