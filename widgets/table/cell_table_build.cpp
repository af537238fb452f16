#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/cell_table.h"
#include "widgets/table/severity_delegate.h"
#include "widgets/table/table_style.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>

// The parts of the table, made once.
namespace qs::widgets {

namespace {

constexpr int kManyRows = 5000;
constexpr int kTypingPauseMs = 150;

}  // namespace

void CellTable::buildView()
{
    m_view->setObjectName(QStringLiteral("cellView"));
    m_view->setAccessibleName(tr("Cells of the run"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new SeverityDelegate(m_view));
    m_style = new TableStyle(m_view);
    m_view->setStyle(m_style);
    m_view->horizontalHeader()->setStyle(m_style);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTextElideMode(Qt::ElideMiddle);  // names of compile modes differ at their ends
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setTabKeyNavigation(false);  // Tab leaves the table; arrows move inside
    m_view->verticalHeader()->hide();
    // One height for all rows, from the font: measuring each of ten thousand would take seconds.
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    m_view->setSortingEnabled(true);
    // The best on top, until another heading is clicked; whoever sorts wants to see the first.
    m_view->sortByColumn(columnOf("throughput"), Qt::DescendingOrder);
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, m_view,
            &QTableView::scrollToTop);
}

void CellTable::buildHeader()
{
    QHeaderView* header = m_view->horizontalHeader();
    header->setSectionsMovable(true);
    // "ok" needs no more, and has no heading where there is little room.
    header->setMinimumSectionSize(fontMetrics().averageCharWidth() * 2);
    header->setHighlightSections(false);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        showColumnChooser(m_view->horizontalHeader()->mapToGlobal(position));
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
        tr("Choose columns (also by a right click on the headings); drag headings to move them"));
    connect(m_columns, &QPushButton::clicked, this,
            [this] { showColumnChooser(m_columns->mapToGlobal(QPoint(0, m_columns->height()))); });
    m_copy->setObjectName(QStringLiteral("cellCopy"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy rows for a spreadsheet, a program or a report"));
    m_large->setObjectName(QStringLiteral("tableLarge"));
    m_large->setAccessibleName(tr("Table in the whole window"));
    m_large->setToolTip(tr("Give the table the whole window, with all its columns, or its part "
                           "again"));
    m_large->setFocusPolicy(Qt::TabFocus);
    connect(m_large, &QToolButton::clicked, this, &CellTable::setWantsRoom);
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
    add(tr("Copy as LaTeX"), "copyLatex", latexText, false);
    add(tr("Copy all rows shown as CSV"), "copyAllCsv", csvText, true);
    add(tr("Copy all rows shown as Markdown"), "copyAllMarkdown", markdownText, true);
    add(tr("Copy all rows shown as LaTeX"), "copyAllLatex", latexText, true);
    auto* menu = new QMenu(this);
    menu->addActions(m_view->actions());
    m_copy->setMenu(menu);
    auto* separator = new QAction(m_view);
    separator->setSeparator(true);
    m_view->addAction(separator);
    auto* baseline = new QAction(tr("Use as speed baseline"), m_view);
    baseline->setObjectName(QStringLiteral("useAsBaseline"));
    baseline->setToolTip(tr("Make this cell the speed baseline of every view"));
    connect(baseline, &QAction::triggered, this, [this] {
        if (const QModelIndex current = m_view->currentIndex(); current.isValid())
            m_store.setBaseline(current.data(CellTableModel::CellIdRole).toString());
    });
    m_view->addAction(baseline);
}

// The filter is reached and left by keys: Ctrl+F into it, Down into the rows, Escape empties it.
void CellTable::buildFilter()
{
    m_filter->setObjectName(QStringLiteral("cellFilter"));
    m_filter->setAccessibleName(tr("Filter of the table"));
    m_filter->setPlaceholderText(tr("Filter: int8dq -oom (Ctrl+F)"));
    m_filter->setMinimumWidth(fontMetrics().averageCharWidth() * 10);
    m_filter->setToolTip(tr("Show cells that contain every word in some column; -word excludes"));
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

}  // namespace qs::widgets
