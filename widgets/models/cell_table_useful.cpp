// Which columns of the table say anything in a run.
#include "widgets/models/cell_table_model.h"
#include "widgets/models/metric_text.h"

#include <algorithm>
#include <string_view>

namespace qs::widgets {

namespace {

const CellColumn& cellColumnAt(int column)
{
    return cellColumns()[static_cast<std::size_t>(column)];
}

}  // namespace

bool CellTableModel::anyHasValue(const CellColumn& column) const
{
    const auto& cells = m_store.analysis().cells;
    return std::any_of(cells.begin(), cells.end(), [&](const core::CellSummary& cell) {
        return column.valueOf(cell, m_context).isValid();
    });
}

bool CellTableModel::cellsDifferIn(const CellColumn& column) const
{
    std::optional<bool>& known = m_differ[static_cast<std::size_t>(&column - cellColumns().data())];
    if (!known) {
        const auto& cells = m_store.analysis().cells;
        const QString first =
            cells.empty() ? QString() : column.valueOf(cells.front(), m_context).toString();
        known = std::any_of(cells.begin(), cells.end(), [&](const core::CellSummary& cell) {
            return column.valueOf(cell, m_context).toString() != first;
        });
    }
    return *known;
}

bool CellTableModel::essentialColumn(int column) const
{
    return cellColumnAt(column).isEssential(m_context) && usefulColumn(column);
}

bool CellTableModel::allOk() const
{
    const auto& cells = m_store.analysis().cells;
    const CellColumn& status = cellColumnAt(columnOf("status"));
    return std::all_of(cells.begin(), cells.end(),
                       [](const auto& cell) { return statusSeverity(cell) == Severity::Ok; }) &&
           !cellsDifferIn(status);
}

QString CellTableModel::commonText() const
{
    const auto& cells = m_store.analysis().cells;
    QStringList parts;
    for (const CellColumn& column : cellColumns()) {
        if (cells.size() < 2 || !column.isConfiguration() || cellsDifferIn(column) ||
            !column.valueOf(cells.front(), m_context).isValid())
            continue;
        const QString unit =
            column.axis != nullptr && column.axis->unit == "px" ? QStringLiteral(" px") : QString();
        parts << tr("%1: %2").arg(column.axis == nullptr
                                      ? column.heading(m_context)
                                      : axisTitle(QString::fromStdString(column.axis->name)),
                                  column.textOf(cells.front(), m_context) + unit);
    }
    if (!cells.empty())
        parts << tr("speed-up vs %1").arg(m_context.baseline);
    return parts.join(QStringLiteral(" · "));
}

bool CellTableModel::usefulColumn(int column) const
{
    const CellColumn& asked = cellColumnAt(column);
    // Said once, in commonText().
    if (asked.isConfiguration() && asked.axis == nullptr && m_store.analysis().cells.size() > 1 &&
        !cellsDifferIn(asked))
        return false;
    // Of untrained weights the arithmetic is all there is, and one column says it.
    if (m_context.untrained && asked.metric != nullptr && !asked.metric->outputMetric.empty())
        return std::string_view(asked.id) == "relative_l2_mean";
    if (asked.group == ColumnGroup::OtherRuns && m_context.beside.empty())
        return false;
    if (!asked.isFirstSight(m_context))
        return false;
    // One value for all says nothing in a column.
    if (asked.axis != nullptr)
        return cellsDifferIn(asked);
    // What the process holds stands in where nobody counts what tensors hold.
    if (std::string_view(cellColumnAt(column).id) == "process_peak")
        return !anyHasValue(cellColumnAt(columnOf("allocated_peak")));
    switch (asked.use) {
    case ColumnUse::Always:
        return true;
    case ColumnUse::WithValues:
        return anyHasValue(asked);
    case ColumnUse::WhereUnlike:
        return cellsDifferIn(asked);
    case ColumnUse::WhenTrained:
        return !m_context.untrained;
    case ColumnUse::OnRequest:
        break;
    }
    return false;
}

}  // namespace qs::widgets
