#include "widgets/compile/compile_cost_model.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/region_speeds.h"
#include "core/base/checks.h"
#include "core/base/format.h"
#include "core/report/words/compile_text.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/models/short_names.h"

#include <algorithm>
#include <limits>

namespace qs::widgets {

namespace {

constexpr int kDigits = 3;
constexpr double kLast = std::numeric_limits<double>::max();

QString countText(double count)
{
    return significantText(count, kDigits);
}

// That all compiled cells have; nothing if they differ.
std::optional<std::int64_t> onlyBatch(const core::Analysis& analysis)
{
    std::optional<std::int64_t> only;
    for (const core::CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        if (only && *only != summary.cell->config.batch)
            return std::nullopt;
        only = summary.cell->config.batch;
    }
    return only;
}

}  // namespace

CompileCostModel::CompileCostModel(const RunStore& store, QObject* parent)
    : QAbstractTableModel(parent), m_store(store)
{
    connect(&store, &RunStore::analysisChanged, this, &CompileCostModel::refresh);
    refresh();
}

void CompileCostModel::refresh()
{
    beginResetModel();
    m_rows.clear();
    m_batch.reset();
    m_analysis = m_store.analysisToKeep();
    if (std::any_of(
            m_analysis->cells.begin(), m_analysis->cells.end(),
            [](const core::CellSummary& summary) { return summary.compileCost.has_value(); }))
        addRows();
    endResetModel();
}

void CompileCostModel::addRows()
{
    const core::CellLabels& labels = m_analysis->labels;
    m_batch = onlyBatch(*m_analysis);
    const std::vector<core::CellGates> gates = core::evaluateGates(m_store.data(), *m_analysis);
    for (std::size_t i = 0; i < m_analysis->cells.size(); ++i) {
        const core::CellSummary& summary = m_analysis->cells[i];
        if (!summary.compileCost)
            continue;
        const core::CellSummary* baseline = m_analysis->find(summary.baselineId);
        m_rows.push_back({.cellId = summary.cellId,
                          .name = QString::fromStdString(m_batch ? labels.of(*summary.cell)
                                                                 : labels.withBatch(*summary.cell)),
                          .baseline = baseline == nullptr
                                          ? QString()
                                          : QString::fromStdString(labels.of(*baseline->cell)),
                          .gates = gates[i]});
    }
    addShortNames(m_rows);
}

void CompileCostModel::setStart(core::CompileStart start)
{
    if (start == m_start)
        return;
    beginResetModel();
    m_start = start;
    endResetModel();
}

const core::CellSummary& CompileCostModel::summaryOf(const Row& row) const
{
    const core::CellSummary* summary = m_analysis->find(row.cellId);
    QS_ASSERT(summary != nullptr && summary->compileCost.has_value());
    return *summary;
}

int CompileCostModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CompileCostModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString CompileCostModel::breakEvenTextOf(const core::CellSummary& summary, int column) const
{
    const auto& found = summary.compileCost->breakEven(m_start);
    if (!found)
        return tr("baseline");
    const double per = column == Units ? static_cast<double>(summary.cell->unitsPerPass) : 1.0;
    const QString most = found->isUpperLimit ? QStringLiteral("≤ ") : QString();
    switch (found->result) {
    case core::BreakEvenResult::Never:
        return tr("never");
    case core::BreakEvenResult::Undecided:
        return found->passes ? tr("undecided (%1)").arg(most + countText(*found->passes * per))
                             : tr("undecided");
    case core::BreakEvenResult::Wins:
        break;
    }
    return QStringLiteral("%1 [%2, %3]")
        .arg(most + countText(*found->passes * per), countText(found->interval->lower * per),
             countText(found->interval->upper * per));
}

QString CompileCostModel::textOf(const Row& row, int column) const
{
    const core::CellSummary& summary = summaryOf(row);
    const core::CompileCost& cost = *summary.compileCost;
    switch (static_cast<Column>(column)) {
    case Cell:
        return row.shortName;
    case Cold:
        return QString::fromStdString(core::compileSecondsText(cost, core::CompileStart::Cold));
    case Warm:
        return QString::fromStdString(core::compileSecondsText(cost, core::CompileStart::Warm));
    case Start:
        return QString::fromStdString(core::formatSeconds(summary.startSeconds));
    case Speedup:
        if (!summary.speedup)
            return {};
        return summary.speedupInterval ? estimateText(*summary.speedup, *summary.speedupInterval)
                                       : significantText(*summary.speedup, kDigits);
    case Passes:
    case Units:
        return breakEvenTextOf(summary, column);
    case Distance:
        return QString::fromStdString(core::packageDistanceText(cost));
    case Expected:
        return QString::fromStdString(core::compileGatesText(row.gates));
    case ColumnCount:
        break;
    }
    return {};
}

QVariant CompileCostModel::sortValue(const Row& row, int column) const
{
    const core::CellSummary& summary = summaryOf(row);
    const core::CompileCost& cost = *summary.compileCost;
    const auto& found = cost.breakEven(m_start);
    // Who never wins comes after all who do.
    const double passes = found && found->passes ? *found->passes : kLast;
    switch (static_cast<Column>(column)) {
    case Cold:
        return cost.coldSeconds;
    case Warm:
        return cost.warmSeconds;
    case Start:
        return summary.startSeconds;
    case Speedup:
        return summary.speedup.value_or(0.0);
    case Passes:
        return passes;
    case Units:
        return passes == kLast ? kLast : passes * static_cast<double>(summary.cell->unitsPerPass);
    case Distance:
        return cost.farthest().distanceToEager;
    case Cell:
    case Expected:
    case ColumnCount:
        break;
    }
    return textOf(row, column);
}

QString CompileCostModel::tipOf(const Row& row) const
{
    const core::CellSummary& summary = summaryOf(row);
    QStringList lines{row.name};
    const QString parts = QString::fromStdString(core::compilePartsText(*summary.compileCost));
    if (!parts.isEmpty())
        lines << tr("Cold compile: %1").arg(parts);
    lines << tr("Compiled: %1")
                 .arg(QString::fromStdString(
                     core::compilationsText(summary.compileCost->compilations)));
    if (!row.baseline.isEmpty())
        lines << tr("Against %1").arg(row.baseline);
    for (const core::StageCompile& stage : summary.compileCost->stages)
        lines << tr("%1: %2 cold, %3 warm")
                     .arg(QString::fromStdString(core::packageName(stage)),
                          QString::fromStdString(core::formatSeconds(stage.coldSeconds)),
                          QString::fromStdString(core::formatSeconds(stage.warmSeconds)));
    for (const core::RegionSpeed& region : core::regionSpeeds(*summary.compileCost))
        lines << QString::fromStdString(core::regionSpeedText(region));
    return lines.join(QLatin1Char('\n'));
}

QVariant CompileCostModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return plainTip(tipOf(row));
    case Qt::TextAlignmentRole:
        return int(index.column() == Cell || index.column() == Expected
                       ? Qt::AlignLeft | Qt::AlignVCenter
                       : Qt::AlignRight | Qt::AlignVCenter);
    case SortRole:
        return sortValue(row, index.column());
    case CellIdRole:
        return QString::fromStdString(row.cellId);
    case ResultRole: {
        const auto& found = summaryOf(row).compileCost->breakEven(m_start);
        return found ? QVariant(static_cast<int>(found->result)) : QVariant();
    }
    default:
        return {};
    }
}

QVariant CompileCostModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(section == Cell || section == Expected ? Qt::AlignLeft : Qt::AlignRight);
    struct Head {
        QString title;
        QString tip;
    };
    const QString units = unitsText(workUnitOf(*m_analysis));
    const Head heads[] = {
        {m_batch ? tr("Cell, batch %1").arg(QLocale().toString(qlonglong{*m_batch})) : tr("Cell"),
         tr("Each cell that runs from a compiled package")},
        {tr("Cold compile"),
         tr("Time of the compiler with nothing of earlier compiles there, until all programs of "
            "the cell are compiled: side by side they count once. ≤: they come from several calls "
            "of the compiler, which are added up, or the run does not say; in one go they might "
            "have taken less")},
        {tr("Warm compile"), tr("The same once more, with what the first compile has kept")},
        {tr("Load + first call"), tr("From finished packages to the end of the first pass")},
        {tr("Speed-up"), tr("Against the speed baseline, with its 95 % interval")},
        {tr("Wins after passes"),
         tr("Passes after which the gain over the baseline is what the start cost; the interval "
            "is that of the gain")},
        {tr("Wins after %1", "images").arg(units), tr("The same in units of work")},
        {tr("Distance to eager"),
         tr("Relative L2 of the compiled stage that is farthest from the same operations run "
            "eagerly, and the most it may be: three times as far as bf16 is from fp32 in this run, "
            "or what was allowed before it was timed")},
        {tr("Expected"), tr("Expectations of the preset that speak of speed-up or compiling")}};
    const Head& head = heads[section];
    if (role == Qt::DisplayRole)
        return head.title;
    return role == Qt::ToolTipRole ? QVariant(plainTip(head.tip)) : QVariant();
}

}  // namespace qs::widgets

#include "moc_compile_cost_model.cpp"
