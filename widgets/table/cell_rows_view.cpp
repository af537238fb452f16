#include "widgets/table/cell_rows_view.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>

namespace qs::widgets {

CellRowsView::CellRowsView(RunStore& store, QAbstractItemModel& rows, Roles roles, QWidget* parent)
    : QTableView(parent), m_store(store), m_roles(roles), m_sorted(new QSortFilterProxyModel(this))
{
    m_sorted->setSortRole(roles.sort);
    m_sorted->setSourceModel(&rows);
    setModel(m_sorted);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setHighlightSections(false);
    connect(&store, &RunStore::selectionChanged, this, &CellRowsView::selectCurrent);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_following && current.isValid())
                    m_store.selectCell(current.data(m_roles.cellId).toString());
            });
}

QModelIndex CellRowsView::find(const QString& cellId) const
{
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        const QModelIndex index = m_sorted->index(row, 0);
        if (index.data(m_roles.cellId).toString() == cellId)
            return index;
    }
    return {};
}

void CellRowsView::selectCurrent()
{
    const QScopedValueRollback following(m_following, true);
    const QModelIndex index = find(m_store.selectedCell());
    if (!index.isValid()) {
        selectionModel()->clear();
        return;
    }
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                 QItemSelectionModel::Rows);
    scrollTo(index);
}

}  // namespace qs::widgets

#include "moc_cell_rows_view.cpp"
