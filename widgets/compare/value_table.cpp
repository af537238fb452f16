#include "widgets/compare/value_table.h"

#include "widgets/models/plain_tip.h"

#include <QColor>
#include <QFont>
#include <QHeaderView>
#include <QResizeEvent>
#include <QScrollBar>

#include <utility>

namespace qs::widgets {

namespace {

constexpr int kRowPadding = 6;
constexpr int kRowsToFit = 100;  // whether they are seen or not

}  // namespace

QString marked(const QString& text, ValueMark mark)
{
    return mark == ValueMark::None ? text : QStringLiteral("≠ ") + text;
}

QVariant markColour(ValueMark mark)
{
    switch (mark) {
    case ValueMark::None:
        return {};
    case ValueMark::Different:
        return QColor(0xd0, 0x7a, 0x1e, 0x38);
    case ValueMark::FirstDifferent:
        return QColor(0xd0, 0x7a, 0x1e, 0x90);
    }
    return {};
}

void ValueTableModel::setTable(ValueTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int ValueTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.cells.size());
}

int ValueTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ValueTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto& row = m_table.cells[static_cast<std::size_t>(index.row())];
    if (static_cast<std::size_t>(index.column()) >= row.size())
        return {};
    const ValueCell& cell = row[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return marked(cell.text, cell.mark);
    if (role == Qt::ToolTipRole && !cell.tip.isEmpty())
        return plainTip(cell.tip);
    if (role == Qt::BackgroundRole)
        return markColour(cell.mark);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant ValueTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QStringList& names = orientation == Qt::Horizontal ? m_table.columns : m_table.rows;
    if (section < 0 || section >= names.size())
        return {};
    if (role == Qt::DisplayRole)
        return names[section];
    // A long name is cut.
    if (role == Qt::ToolTipRole && orientation == Qt::Vertical)
        return plainTip(names[section]);
    if (role == Qt::TextAlignmentRole)
        return QVariant((orientation == Qt::Horizontal ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    return {};
}

void setUpValueTable(QTableView& view, const QString& name, const QString& accessible)
{
    view.setObjectName(name);
    view.setAccessibleName(accessible);
    view.setAlternatingRowColors(true);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setCornerButtonEnabled(false);
    view.setEditTriggers(QAbstractItemView::NoEditTriggers);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setResizeContentsPrecision(kRowsToFit);
    view.verticalHeader()->setHighlightSections(false);
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + kRowPadding);
    // Tab goes to the next part of the window, not through all values.
    view.setTabKeyNavigation(false);
}

ValueTableView::ValueTableView(const QString& name, const QString& accessible, QWidget* parent)
    : QTableView(parent)
{
    setUpValueTable(*this, name, accessible);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ValueTableView::fit()
{
    fitHeight();
    updateGeometry();
}

void ValueTableView::fitHeight()
{
    const int rows = model() == nullptr ? 0 : model()->rowCount();
    // Room for the bar only where there is one: else it would be an empty strip.
    const int bar = width() < sizeHint().width() ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() +
                   rows * verticalHeader()->defaultSectionSize() + bar + 2 * frameWidth());
}

void ValueTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fitHeight();
}

QSize ValueTableView::sizeHint() const
{
    return {verticalHeader()->sizeHint().width() + horizontalHeader()->length() + 2 * frameWidth(),
            minimumHeight()};
}

}  // namespace qs::widgets

#include "moc_value_table.cpp"
