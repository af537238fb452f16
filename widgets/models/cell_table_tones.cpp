// What the table marks, and how grave it is.
#include "core/analysis/metric_values.h"
#include "widgets/models/cell_table_model.h"

#include <string_view>

namespace qs::widgets {

namespace {

const CellColumn& tonedColumn(int column)
{
    return cellColumns()[static_cast<std::size_t>(column)];
}

bool isColumn(int column, std::string_view id)
{
    return tonedColumn(column).id == id;
}

Severity gateSeverity(const core::CellGates* gates)
{
    const core::GateCounts counts =
        gates == nullptr ? core::GateCounts() : core::countGates(*gates);
    if (counts.failed > 0)
        return Severity::Error;
    if (counts.undecided > 0)
        return Severity::Warning;
    return counts.passed > 0 ? Severity::Ok : Severity::Muted;
}

}  // namespace

bool CellTableModel::isJudged(const CellColumn& column)
{
    const core::OutputMetric* output =
        column.metric == nullptr || column.metric->worst
            ? nullptr
            : core::metricRegistry().findOutput(column.metric->outputMetric);
    return output != nullptr && !output->isDistanceOf.empty();
}

VerdictTone CellTableModel::shortTone(const core::CellSummary& summary,
                                      const CellColumn& column) const
{
    if (column.tone != nullptr && column.brief != nullptr)
        return column.tone(summary, m_context);
    if (std::string_view(column.id) == "speedup")
        return speedTone(summary);
    // What is open of the quality is so for most cells: colour would shout.
    if (!isJudged(column) || qualityTone(summary) == VerdictTone::Open)
        return VerdictTone::None;
    return qualityTone(summary);
}

Severity CellTableModel::severity(const core::CellSummary& summary, int column) const
{
    const Severity status = statusSeverity(summary);
    if (status == Severity::Muted)
        return status;
    if (isColumn(column, "status") || isColumn(column, "reason"))
        return status;
    if (isColumn(column, "gates"))
        return gateSeverity(m_context.gatesOf(summary));
    if (isColumn(column, "executed") && ranSomethingElse(summary))
        return Severity::Error;
    // A number with fewer repeats than planned is still moving.
    if (isColumn(column, "rounds") && summary.roundsOk < summary.roundsPlanned)
        return Severity::Warning;
    return Severity::Ok;
}

VerdictTone CellTableModel::tone(const core::CellSummary& summary, int column) const
{
    if (const CellColumn& shown = tonedColumn(column); shown.tone != nullptr && !shown.number)
        return shown.tone(summary, m_context);
    if (isColumn(column, "verdict"))
        return speedTone(summary);
    return isColumn(column, "quality_verdict") ? qualityTone(summary) : VerdictTone::None;
}

}  // namespace qs::widgets
