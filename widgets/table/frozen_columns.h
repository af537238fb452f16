#pragma once

#include <QTableView>

#include <vector>

namespace qs::widgets {

// The columns that name a row, kept in sight over the left edge of a table that is scrolled to the
// side. Shares model and selection with the table; seen only while the columns themselves are not.
class FrozenColumns final : public QTableView
{
    Q_OBJECT

public:
    // Of these columns, in the order of the model. A child of `table`, which has its model.
    FrozenColumns(QTableView& table, std::vector<int> columns);

    // After columns were hidden, shown or fitted.
    void follow();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTableView& m_table;
    std::vector<int> m_columns;
};

}  // namespace qs::widgets
