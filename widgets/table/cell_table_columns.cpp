#include "widgets/models/cell_table_model.h"
#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/cell_table.h"
#include "widgets/table/column_chooser.h"
#include "widgets/table/frozen_columns.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QScreen>
#include <QScrollBar>
#include <QStyle>
#include <QTableView>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

// Which columns the table shows, and how wide they are.
namespace qs::widgets {

namespace {

// The first byte of a saved state.
constexpr char kChosen = 'c';
constexpr char kWidthsOnly = 'w';

// What is left out of a narrow table, what is needed least first.
constexpr const char* kLeastFirst[] = {"allocated_peak",     "process_peak",
                                       "other_throughput_3", "other_throughput_2",
                                       "other_throughput",   "status"};

bool isNumber(const QAbstractItemModel& model, int column)
{
    return model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)
        .value<Qt::Alignment>()
        .testFlag(Qt::AlignRight);
}

bool isOfOtherRun(int column)
{
    return cellColumns()[static_cast<std::size_t>(column)].group == ColumnGroup::OtherRuns;
}

}  // namespace

void CellTable::showColumnChooser(const QPoint& position)
{
    std::vector<ColumnChoice> choices;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (isOfOtherRun(column) && !m_model->usefulColumn(column))
            continue;
        choices.push_back(
            {.column = column,
             .title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
             .explanation =
                 cellColumns()[static_cast<std::size_t>(column)].about(m_model->context()),
             .group = cellColumns()[static_cast<std::size_t>(column)].group,
             .shown = !m_view->isColumnHidden(column),
             // The status stays: a number without it could be taken for a good one.
             .fixed = column == columnOf("status")});
    }
    auto* chooser = new ColumnChooser(choices, this);
    connect(chooser, &ColumnChooser::toggled, this, &CellTable::setColumnShown);
    connect(chooser, &ColumnChooser::standardWanted, this, [this, chooser] {
        m_columnsChosen = false;
        showUsefulColumns();
        for (int column = 0; column < m_model->columnCount(); ++column)
            chooser->setShown(column, !m_view->isColumnHidden(column));
    });
    const QRect screen = this->screen()->availableGeometry();
    chooser->move(std::min(position.x(), screen.right() - chooser->width()),
                  std::min(position.y(), screen.bottom() - chooser->height()));
    chooser->show();
}

void CellTable::setColumnShown(int column, bool shown)
{
    m_columnsChosen = m_columnsChosen || !isOfOtherRun(column);
    m_view->setColumnHidden(column, !shown);
    if (shown && !m_widthsKept)
        fitColumn(column);
    m_frozen->follow();
}

void CellTable::showUsefulColumns()
{
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (m_columnsChosen && !isOfOtherRun(column))
            continue;
        const bool wanted =
            m_short ? m_model->essentialColumn(column) : m_model->usefulColumn(column);
        const bool isNew = wanted && m_view->isColumnHidden(column);
        m_view->setColumnHidden(column, !wanted);
        if (isNew && m_fitted && !m_widthsKept)
            fitColumn(column);
    }
    // Else widths are about to be fitted, and columns dropped then.
    if (m_fitted)
        dropColumns();
    m_frozen->follow();
}

void CellTable::dropColumns()
{
    // What a person has chosen is as it was chosen.
    if (!m_short || m_columnsChosen || m_widthsKept)
        return;
    // The view is as wide, but knows it later.
    const int room =
        this->width() - 2 * m_view->frameWidth() - m_view->verticalScrollBar()->sizeHint().width();
    m_proxy->setTerse(false);
    // Once each: finding them looks at many rows.
    std::vector<int> widths(static_cast<std::size_t>(m_model->columnCount()));
    for (int column = 0; column < m_model->columnCount(); ++column)
        widths[static_cast<std::size_t>(column)] =
            m_view->isColumnHidden(column) ? 0 : shortWidth(column);
    int needed = std::accumulate(widths.begin(), widths.end(), 0);
    const auto drop = [&](const char* id) {
        needed -= std::exchange(widths[static_cast<std::size_t>(columnOf(id))], 0);
        m_view->setColumnHidden(columnOf(id), true);
    };
    for (const char* id : kLeastFirst) {
        // A status that says something is not left out: a number without it could be taken for a
        // good one.
        if (needed > room && (columnOf(id) != columnOf("status") || m_model->allOk()))
            drop(id);
    }
    const int numbers = columnOf("throughput");
    int& width = widths[static_cast<std::size_t>(numbers)];
    if (needed > room && width > 0) {
        m_proxy->setTerse(true);
        needed += shortWidth(numbers) - width;
        width = shortWidth(numbers);
    }
    // Of two ratios the one that runs are compared for.
    if (needed > room && !m_model->context().beside.empty())
        drop("speedup");
    // Long names are cut in their middle before a number is.
    constexpr int kLettersOfName = 16;
    const int compile = columnOf("compile");
    const int layers = columnOf("layers");
    for (const int column : {layers, compile}) {
        int& name = widths[static_cast<std::size_t>(column)];
        const int whole = name;
        if (needed > room && name > 0)
            name = std::max(std::min(name, fontMetrics().averageCharWidth() * kLettersOfName),
                            name - (needed - room));
        needed -= whole - name;
    }
    for (const int column : {numbers, compile, layers}) {
        const int fitting = widths[static_cast<std::size_t>(column)];
        const QScopedValueRollback<bool> guard(m_fitting, true);
        if (m_fitted && fitting > 0)
            m_view->setColumnWidth(column, fitting);
    }
    m_view->viewport()->update();
}

void CellTable::showOtherRuns()
{
    showUsefulColumns();
    // Whatever widths the user has given the others.
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (isOfOtherRun(column) && !m_view->isColumnHidden(column))
            fitColumn(column);
    }
}

void CellTable::fitColumns()
{
    const auto& cells = m_store.analysis().cells;
    const bool measured =
        std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.measured; });
    // Once for the headings, once more for the first numbers; after that columns only grow.
    if (m_fitted || m_widthsKept)
        return;
    m_fitted = measured;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (!m_view->isColumnHidden(column))
            fitColumn(column);
    }
    dropColumns();
}

// Verdicts and qualities come later than the first numbers and may be longer. None becomes
// narrower, so that a table at rest is never moved.
void CellTable::growColumns()
{
    if (!m_fitted || m_widthsKept)
        return;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (m_view->isColumnHidden(column))
            continue;
        const int before = m_view->columnWidth(column);
        fitColumn(column);
        const QScopedValueRollback<bool> guard(m_fitting, true);
        m_view->setColumnWidth(column, std::max(before, m_view->columnWidth(column)));
    }
    dropColumns();
    m_frozen->follow();
}

void CellTable::fitColumn(int column)
{
    const QScopedValueRollback<bool> guard(m_fitting, true);
    constexpr int kWidestLetters = 44;
    const int letter = fontMetrics().averageCharWidth();
    const QHeaderView* header = m_view->horizontalHeader();
    if (m_short) {
        m_view->setColumnWidth(column, shortWidth(column));
        return;
    }
    m_view->resizeColumnToContents(column);
    int width = m_view->columnWidth(column);
    // Numbers may get a digit more; words stay as the plan has them.
    if (isNumber(*m_model, column) && width > header->sectionSizeHint(column))
        width += letter;
    // Long texts are cut, their headings are not.
    m_view->setColumnWidth(column, std::min(width, std::max(letter * kWidestLetters,
                                                            header->sectionSizeHint(column))));
}

// Without the room that every heading keeps for the arrow of sorting; the one that has it needs it.
int CellTable::shortWidth(int column) const
{
    constexpr int kRowsToFit = 100;
    constexpr int kPadding = 7;
    constexpr int kBadge = 12;
    const QFontMetrics metrics = m_view->fontMetrics();
    int widest = metrics.horizontalAdvance(
        m_proxy->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    const QHeaderView* header = m_view->horizontalHeader();
    if (column == header->sortIndicatorSection())
        widest += header->style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, header);
    for (int row = 0; row < std::min(m_proxy->rowCount(), kRowsToFit); ++row) {
        const QModelIndex index = m_proxy->index(row, column);
        const bool badge = index.data(CellTableModel::VerdictToneRole).toInt() !=
                           static_cast<int>(VerdictTone::None);
        widest = std::max(widest, metrics.horizontalAdvance(index.data().toString()) +
                                      (badge ? kBadge : 0));
    }
    return std::max(widest + kPadding, header->minimumSectionSize());
}

QByteArray CellTable::columnState() const
{
    if (!m_columnsChosen && !m_widthsKept)
        return {};
    // Which columns there are is the user's choice or follows from the room.
    return QByteArray(1, m_columnsChosen ? kChosen : kWidthsOnly) +
           m_view->horizontalHeader()->saveState();
}

bool CellTable::restoreColumnState(const QByteArray& state)
{
    if (state.isEmpty() || !m_view->horizontalHeader()->restoreState(state.mid(1)))
        return false;
    m_columnsChosen = state.front() == kChosen;
    m_widthsKept = true;
    showUsefulColumns();
    return true;
}

}  // namespace qs::widgets
