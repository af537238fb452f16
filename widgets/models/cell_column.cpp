#include "widgets/models/cell_column.h"

namespace qs::widgets {

QString ColumnText::operator()(CellColumn::Context context) const
{
    return m_words != nullptr ? ColumnWords::tr(m_words) : m_make(context);
}

const core::CellGates* CellContext::gatesOf(const core::CellSummary& summary) const
{
    const auto found = gates.find(summary.cellId);
    return found == gates.end() ? nullptr : &found->second;
}

const NumericDeviation* CellContext::deviation(const core::CellSummary& summary) const
{
    const auto found = deviations.find(summary.cellId);
    return found == deviations.end() ? nullptr : &found->second;
}

}  // namespace qs::widgets
