#include "widgets/table/cell_table.h"

#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/severity_delegate.h"
#include "widgets/table/table_style.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelection>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace qs::widgets {

namespace {

constexpr int kManyRows = 5000;
constexpr int kTypingPauseMs = 150;

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
    m_view->setAccessibleName(tr("Cells of the run"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new SeverityDelegate(m_view));
    auto* style = new TableStyle(m_view);
    m_view->setStyle(style);
    m_view->horizontalHeader()->setStyle(style);
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
    connect(header, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        showColumnMenu(m_view->horizontalHeader()->mapToGlobal(position));
    });
    // Fitting looks at so many rows of each column, not at a thousand.
    constexpr int kRowsToFit = 100;
    header->setResizeContentsPrecision(kRowsToFit);
    connect(header, &QHeaderView::sectionResized, this, [this](int, int before, int now) {
        // Hiding and showing a column resizes it too, from and to nothing.
        if (!m_fitting && before > 0 && now > 0)
            m_widthsKept = true;
    });
}

void CellTable::buildButtons()
{
    m_columns->setObjectName(QStringLiteral("cellColumns"));
    m_columns->setText(tr("Columns"));
    m_columns->setToolTip(
        tr("Choose columns; a right click on the headings does the same, dragging moves them"));
    connect(m_columns, &QPushButton::clicked, this,
            [this] { showColumnMenu(m_columns->mapToGlobal(QPoint(0, m_columns->height()))); });
    m_copy->setObjectName(QStringLiteral("cellCopy"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy rows for a spreadsheet, a program or a report"));
}

void CellTable::buildCopyActions()
{
    using Convert = QString (*)(const TableExcerpt&);
    const auto add = [this](const QString& text, const char* name, Convert convert, bool all) {
        auto* action = new QAction(text, m_view);
        action->setObjectName(QString::fromLatin1(name));
        connect(action, &QAction::triggered, m_view, [this, convert, all] {
            QApplication::clipboard()->setText(convert(excerpt(all)));
        });
        m_view->addAction(action);
        return action;
    };
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    QAction* copy = add(tr("Copy"), "copyTsv", tsvText, false);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    add(tr("Copy as CSV"), "copyCsv", csvText, false);
    add(tr("Copy as Markdown"), "copyMarkdown", markdownText, false);
    add(tr("Copy all rows shown as CSV"), "copyAllCsv", csvText, true);
    add(tr("Copy all rows shown as Markdown"), "copyAllMarkdown", markdownText, true);
    auto* menu = new QMenu(this);
    menu->addActions(m_view->actions());
    m_copy->setMenu(menu);
    auto* separator = new QAction(m_view);
    separator->setSeparator(true);
    m_view->addAction(separator);
    auto* baseline = new QAction(tr("Form ratios with this cell"), m_view);
    baseline->setObjectName(QStringLiteral("useAsBaseline"));
    baseline->setToolTip(tr("Make it the speed baseline of every view"));
    connect(baseline, &QAction::triggered, this, [this] {
        if (const QModelIndex current = m_view->currentIndex(); current.isValid())
            m_store.setBaseline(current.data(CellTableModel::CellIdRole).toString());
    });
    m_view->addAction(baseline);
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

// The filter is reached and left by keys: Ctrl+F into it, Down into the rows, Escape empties it.
void CellTable::buildFilter()
{
    m_filter->setObjectName(QStringLiteral("cellFilter"));
    m_filter->setAccessibleName(tr("Filter of the table"));
    m_filter->setPlaceholderText(tr("Filter: words such as int8dq oom, -word leaves out (Ctrl+F)"));
    m_filter->setToolTip(tr("Shows the cells that have every word in one of their columns"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    m_filterLater.setSingleShot(true);
    connect(&m_filterLater, &QTimer::timeout, this, &CellTable::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        // Many rows are filtered once the typing pauses, few with every letter.
        if (m_model->rowCount() > kManyRows)
            m_filterLater.start(kTypingPauseMs);
        else
            applyFilter();
    });
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
    menu->popup(position);
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
    constexpr int kWidestLetters = 44;
    const int letter = fontMetrics().averageCharWidth();
    const QHeaderView* header = m_view->horizontalHeader();
    for (int column = 0; column < CellTableModel::ColumnCount; ++column) {
        m_view->resizeColumnToContents(column);
        int width = m_view->columnWidth(column);
        // Numbers may get a digit more; words stay as the plan has them.
        if (isNumber(*m_model, column) && width > header->sectionSizeHint(column))
            width += letter;
        m_view->setColumnWidth(column, std::min(width, letter * kWidestLetters));
    }
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
