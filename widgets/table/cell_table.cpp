#include "widgets/table/cell_table.h"

#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/severity_delegate.h"
#include "widgets/table/table_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

CellTable::CellTable(RunStore& store, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_model(new CellTableModel(store, this)),
      m_proxy(new CellFilterProxy(this)),
      m_filter(new QLineEdit),
      m_count(new QLabel),
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
    buildCopyActions();
    m_filter->setObjectName(QStringLiteral("cellFilter"));
    m_filter->setPlaceholderText(tr("Filter: words of any column, -word leaves out"));
    m_filter->setClearButtonEnabled(true);
    m_count->setObjectName(QStringLiteral("cellCount"));

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_count);
    auto* column = new QVBoxLayout(this);
    column->addLayout(bar);
    column->addWidget(m_view, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilterText(text);
        selectFromStore();
        updateCount();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CellTable::selectInStore);
    connect(&store, &RunStore::selectionChanged, this, &CellTable::selectFromStore);
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
    showUsefulColumns();
    fitColumns();
    updateCount();
    selectFromStore();
}

void CellTable::buildView()
{
    m_view->setObjectName(QStringLiteral("cellView"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new SeverityDelegate(m_view));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setTabKeyNavigation(false);  // Tab leaves the table; arrows move inside
    m_view->verticalHeader()->hide();
    // One height for all rows, from the font: measuring each of ten thousand would take seconds.
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1,
                         Qt::AscendingOrder);  // the order of the plan until a heading is clicked
}

void CellTable::buildHeader()
{
    QHeaderView* header = m_view->horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &CellTable::showColumnMenu);
    connect(header, &QHeaderView::sectionResized, this, [this](int, int before, int now) {
        // Hiding and showing a column resizes it too, from and to nothing.
        if (!m_fitting && before > 0 && now > 0)
            m_widthsKept = true;
    });
}

void CellTable::buildCopyActions()
{
    const auto add = [this](const QString& text, const char* name,
                            QString (*convert)(const QModelIndexList&)) {
        auto* action = new QAction(text, m_view);
        action->setObjectName(QString::fromLatin1(name));
        connect(action, &QAction::triggered, m_view, [this, convert] {
            // Columns that are hidden, or moved, are as the user sees them: left out.
            QModelIndexList shown = m_view->selectionModel()->selectedIndexes();
            shown.removeIf([this](const QModelIndex& index) {
                return m_view->isColumnHidden(index.column());
            });
            QApplication::clipboard()->setText(convert(shown));
        });
        m_view->addAction(action);
        return action;
    };
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    QAction* copy = add(tr("Copy"), "copyTsv", selectionAsTsv);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    add(tr("Copy as CSV"), "copyCsv", selectionAsCsv);
    add(tr("Copy as Markdown"), "copyMarkdown", selectionAsMarkdown);
}

void CellTable::showColumnMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("columnMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < CellTableModel::ColumnCount; ++column) {
        const QString title =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        QAction* action =
            menu->addAction(QString(title).replace(QLatin1Char('\n'), QLatin1String(": ")));
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(column));
        // The status stays: a number without it could be taken for a good one.
        action->setEnabled(column != CellTableModel::Status);
        connect(action, &QAction::toggled, m_view, [this, column](bool shown) {
            m_columnsChosen = true;
            m_view->setColumnHidden(column, !shown);
        });
    }
    menu->addSeparator();
    QAction* standard = menu->addAction(tr("Usual columns"));
    connect(standard, &QAction::triggered, this, [this] {
        m_columnsChosen = false;
        showUsefulColumns();
    });
    menu->popup(m_view->horizontalHeader()->mapToGlobal(position));
}

void CellTable::showUsefulColumns()
{
    if (m_columnsChosen)
        return;
    for (int column = 0; column < CellTableModel::ColumnCount; ++column)
        m_view->setColumnHidden(column, !m_model->usefulColumn(column));
}

void CellTable::fitColumns()
{
    const auto& cells = m_store.analysis().cells;
    const bool measured =
        std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.measured; });
    // Once for the headings, once more for the first numbers; after that widths belong to the user.
    if (m_fitted || m_widthsKept)
        return;
    const QScopedValueRollback<bool> guard(m_fitting, true);
    m_fitted = measured;
    const int letter = fontMetrics().averageCharWidth();
    for (int column = 0; column < CellTableModel::ColumnCount; ++column) {
        m_view->resizeColumnToContents(column);
        constexpr int kWidestLetters = 44;
        m_view->setColumnWidth(
            column, std::min(m_view->columnWidth(column) + letter, letter * kWidestLetters));
    }
}

void CellTable::setFilter(const QString& text)
{
    m_filter->setText(text);
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
        row < 0 ? QModelIndex()
                : m_proxy->mapFromSource(m_model->index(row, CellTableModel::Status));
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
    m_view->scrollTo(index);
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
