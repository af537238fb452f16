#pragma once

#include "widgets/models/run_store.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace qs::widgets {

// A sortable table with one row for each of some cells of the run, whose selection it shares: a row
// that is clicked is the selected cell, and the row of the selected cell is the current one.
class CellRowsView final : public QTableView
{
    Q_OBJECT

public:
    struct Roles {
        int cellId = 0;  // in any column: the id of the cell of a row
        int sort = 0;
    };

    // `store` and `rows` must outlive the view.
    CellRowsView(RunStore& store, QAbstractItemModel& rows, Roles roles, QWidget* parent = nullptr);

    // The row of the selected cell becomes the current one; none if it has no row.
    void selectCurrent();

private:
    [[nodiscard]] QModelIndex find(const QString& cellId) const;

    RunStore& m_store;
    Roles m_roles;
    QSortFilterProxyModel* m_sorted = nullptr;
    bool m_following = false;  // the selection of the run, not the user
};

}  // namespace qs::widgets
