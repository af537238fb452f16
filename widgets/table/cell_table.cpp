#include "widgets/table/cell_table.h"

#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/column_menu.h"
#include "widgets/table/frozen_columns.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelection>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace qs::widgets {

namespace {

bool isNumber(const QAbstractItemModel& model, int column)
{
    return model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)
        .value<Qt::Alignment>()
        .testFlag(Qt::AlignRight);
}

}  // namespace

CellTable::CellTable(RunStore& store, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_model(new CellTableModel(store, this)),
      m_proxy(new CellFilterProxy(this)),
      m_filter(new QLineEdit),
      m_count(new QLabel),
      m_columns(new QPushButton),
      m_copy(new QPushButton),
      m_view(new QTableView)
{
    setObjectName(QStringLiteral("cellTable"));
    m_proxy->setSourceModel(m_model);
    // When the filter takes the current row away, Qt moves on to a neighbour. That is not the
    // user's choice and must not reach the other views. Connected before the view gets the model,
    // so that it comes first.
    connect(m_proxy, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this] { m_following = true; });
    buildView();
    buildHeader();
    m_frozen = new FrozenColumns(*m_view, {columnOf("precision"), columnOf("layers"),
                                           columnOf("compile"), columnOf("batch")});
    buildButtons();
    buildCopyActions();
    buildFilter();
    m_count->setObjectName(QStringLiteral("cellCount"));

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_count);
    bar->addWidget(m_columns);
    bar->addWidget(m_copy);
    auto* column = new QVBoxLayout(this);
    column->addLayout(bar);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connectModels();
    showUsefulColumns();
    fitColumns();
    updateCount();
    selectFromStore();
}

void CellTable::connectModels()
{
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CellTable::selectInStore);
    connect(&m_store, &RunStore::selectionChanged, this, &CellTable::selectFromStore);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_fitted = false;
        showUsefulColumns();
        fitColumns();
        updateCount();
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &CellTable::fitColumns);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &CellTable::updateCount);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_following = false;
        selectFromStore();
        updateCount();
    });
}

// What the user sees of the selected rows, or of all: hidden columns are left out, moved ones are
// where they were moved to.
TableExcerpt CellTable::excerpt(bool all) const
{
    TableExcerpt excerpt{.model = m_proxy, .rows = {}, .columns = {}};
    const QHeaderView* header = m_view->horizontalHeader();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (!header->isSectionHidden(column))
            excerpt.columns.push_back(column);
    }
    if (all) {
        excerpt.rows.resize(static_cast<std::size_t>(m_proxy->rowCount()));
        std::iota(excerpt.rows.begin(), excerpt.rows.end(), 0);
        return excerpt;
    }
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            excerpt.rows.push_back(row);
    }
    std::sort(excerpt.rows.begin(), excerpt.rows.end());
    excerpt.rows.erase(std::unique(excerpt.rows.begin(), excerpt.rows.end()), excerpt.rows.end());
    return excerpt;
}

void CellTable::applyFilter()
{
    m_proxy->setFilterText(m_filter->text());
    selectFromStore();
    updateCount();
}

bool CellTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down) {
        m_view->setFocus(Qt::OtherFocusReason);
        if (!m_view->currentIndex().isValid() && m_proxy->rowCount() > 0)
            m_view->selectRow(0);
        return true;
    }
    if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
        m_filter->clear();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void CellTable::addCellAction(QAction* action)
{
    m_view->addAction(action);
}

void CellTable::showColumnMenu(const QPoint& position)
{
    auto* menu = new ColumnMenu(this);
    menu->setObjectName(QStringLiteral("columnMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const QString title =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        QAction* action =
            menu->addAction(QString(title).replace(QLatin1Char('\n'), QLatin1String(": ")));
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(column));
        // The status stays: a number without it could be taken for a good one.
        action->setEnabled(column != columnOf("status"));
        connect(action, &QAction::toggled, m_view, [this, column](bool shown) {
            m_columnsChosen = true;
            m_view->setColumnHidden(column, !shown);
            if (shown && !m_widthsKept)
                fitColumn(column);
            m_frozen->follow();
        });
    }
    menu->addSeparator();
    QAction* standard = menu->addAction(tr("Default columns"));
    connect(standard, &QAction::triggered, this, [this] {
        m_columnsChosen = false;
        showUsefulColumns();
    });
    menu->popup(position);
}

void CellTable::showUsefulColumns()
{
    if (m_columnsChosen)
        return;
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_view->setColumnHidden(column, !m_model->usefulColumn(column));
    m_frozen->follow();
}

void CellTable::fitColumns()
{
    const auto& cells = m_store.analysis().cells;
    const bool measured =
        std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.measured; });
    // Once for the headings, once more for the first numbers; after that widths belong to the user.
    if (m_fitted || m_widthsKept)
        return;
    m_fitted = measured;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (!m_view->isColumnHidden(column))
            fitColumn(column);
    }
}

void CellTable::fitColumn(int column)
{
    const QScopedValueRollback<bool> guard(m_fitting, true);
    constexpr int kWidestLetters = 44;
    const int letter = fontMetrics().averageCharWidth();
    const QHeaderView* header = m_view->horizontalHeader();
    m_view->resizeColumnToContents(column);
    int width = m_view->columnWidth(column);
    // Numbers may get a digit more; words stay as the plan has them.
    if (isNumber(*m_model, column) && width > header->sectionSizeHint(column))
        width += letter;
    m_view->setColumnWidth(column, std::min(width, letter * kWidestLetters));
}

void CellTable::setFilter(const QString& text)
{
    m_filter->setText(text);
    if (m_filterLater.isActive()) {
        m_filterLater.stop();
        applyFilter();
    }
}

QByteArray CellTable::columnState() const
{
    return m_view->horizontalHeader()->saveState();
}

bool CellTable::restoreColumnState(const QByteArray& state)
{
    if (!m_view->horizontalHeader()->restoreState(state))
        return false;
    m_columnsChosen = true;
    m_widthsKept = true;
    return true;
}

void CellTable::selectFromStore()
{
    const QScopedValueRollback<bool> guard(m_following, true);
    const int row = m_model->rowOf(m_store.selectedCell());
    const QModelIndex index =
        row < 0 ? QModelIndex() : m_proxy->mapFromSource(m_model->index(row, columnOf("status")));
    if (!index.isValid()) {
        m_view->clearSelection();
        m_view->setCurrentIndex({});
        return;
    }
    // The column stays where the user is; only the row follows.
    const QModelIndex current = m_view->currentIndex();
    if (current.isValid() && current.row() == index.row())
        return;
    m_view->selectionModel()->setCurrentIndex(
        index.siblingAtColumn(current.isValid() ? current.column() : 0),
        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    // To the row; the columns stay where the user is.
    const int across = m_view->horizontalScrollBar()->value();
    m_view->scrollTo(index);
    m_view->horizontalScrollBar()->setValue(across);
}

void CellTable::selectInStore(const QModelIndex& current)
{
    if (!m_following && current.isValid())
        m_store.selectCell(current.data(CellTableModel::CellIdRole).toString());
}

void CellTable::updateCount()
{
    const int shown = m_proxy->rowCount();
    const int all = m_model->rowCount();
    m_count->setText(shown == all ? tr("Cells: %1").arg(all)
                                  : tr("Cells: %1 of %2").arg(shown).arg(all));
}

}  // namespace qs::widgets
