#include "widgets/models/cell_table_model.h"

#include "core/analysis/find_answer.h"
#include "core/analysis/metric_values.h"
#include "core/analysis/shown_cells.h"
#include "widgets/background/drop_in_pool.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/plain_tip.h"

#include <QLocale>

#include <algorithm>
#include <string_view>
#include <utility>

namespace qs::widgets {

namespace {

const CellColumn& columnAt(int column)
{
    return cellColumns()[static_cast<std::size_t>(column)];
}

bool is(int column, std::string_view id)
{
    return columnAt(column).id == id;
}

// The stages of the first cell that has been measured; cells of one model share them.
std::vector<QString> stagesOf(const core::Analysis& analysis)
{
    std::vector<QString> stages;
    for (const core::CellSummary& cell : analysis.cells) {
        if (cell.stageNames.empty())
            continue;
        for (const std::string& name : cell.stageNames)
            stages.push_back(QString::fromStdString(name));
        break;
    }
    return stages;
}

// Less than two gibibytes in any cell: 97.9 MiB instead of 0.0956 GiB.
bool readsInMebibytes(const core::Analysis& analysis)
{
    constexpr std::int64_t kMost = std::int64_t{2} << 30U;
    const auto small = [](const std::optional<std::int64_t>& bytes) {
        return bytes.value_or(0) < kMost;
    };
    return std::all_of(
        analysis.cells.begin(), analysis.cells.end(), [&](const core::CellSummary& cell) {
            return small(cell.memory.allocatedPeak) && small(cell.memory.reservedPeak) &&
                   small(cell.memory.processPeak) && small(cell.weightsFileBytes);
        });
}

}  // namespace

CellTableModel::CellTableModel(const RunStore& store, QObject* parent)
    : QAbstractTableModel(parent), m_store(store)
{
    connect(&store, &RunStore::runReplaced, this, &CellTableModel::reset);
    connect(&store, &RunStore::analysisChanged, this, &CellTableModel::update);
    connect(&store.others(), &OtherRuns::changed, this, &CellTableModel::updateOthers);
    reset();
}

int CellTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown->cells.size());
}

int CellTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(cellColumns().size());
}

QVariant CellTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    // Between the store's change and the reset that follows it a view may ask for rows of before.
    if (row >= m_store.analysis().cells.size())
        return {};
    const core::CellSummary& summary = m_store.analysis().cells[row];
    const CellColumn& column = columnAt(index.column());
    switch (role) {
    case Qt::DisplayRole:
    case FullTextRole:
        return text(summary, column, false);
    case ShortTextRole:
        return text(summary, column, true);
    case TerseTextRole:
        return column.valueOf(summary, m_context).isValid() ? column.terseTextOf(summary, m_context)
                                                            : missingShortly(column, summary);
    case ShortToneRole:
        return static_cast<int>(shortTone(summary, column));
    case IntervalRole:
        return interval(summary, column);
    case Qt::ToolTipRole:
        return plainTip(toolTip(summary, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (column.number ? Qt::AlignRight : Qt::AlignLeft));
    case SortRole:
        return column.valueOf(summary, m_context);
    case SeverityRole:
        return static_cast<int>(severity(summary, index.column()));
    case VerdictToneRole:
        return static_cast<int>(tone(summary, index.column()));
    case CellIdRole:
        return QString::fromStdString(summary.cellId);
    default:
        return {};
    }
}

QVariant CellTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return QAbstractTableModel::headerData(section, orientation, role);
    const CellColumn& column = columnAt(section);
    switch (role) {
    case Qt::DisplayRole:
        return column.heading(m_context);
    case FullTextRole:
        return column.fullHeading(m_context);
    case ShortTextRole:
        return column.shortHeading(m_context);
    case Qt::ToolTipRole:
        return plainTip(column.about(m_context));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (column.number ? Qt::AlignRight : Qt::AlignLeft));
    case ColumnIdRole:
        return QString::fromUtf8(column.id);
    default:
        return {};
    }
}

QString CellTableModel::text(const core::CellSummary& summary, const CellColumn& column,
                             bool shortly) const
{
    if (!column.valueOf(summary, m_context).isValid())
        return missingShortly(column, summary);
    return shortly ? column.shortTextOf(summary, m_context) : column.textOf(summary, m_context);
}

QVariant CellTableModel::interval(const core::CellSummary& summary, const CellColumn& column)
{
    const core::Metric* metric =
        column.metric != nullptr ? column.metric : core::metricRegistry().find(column.id);
    const auto ends = metric == nullptr ? std::nullopt : core::intervalOf(*metric, summary);
    if (!ends)
        return {};
    const double factor = metricFactor(*metric);
    return QVariantList{ends->lower * factor, ends->upper * factor};
}

QString CellTableModel::toolTip(const core::CellSummary& summary, int column) const
{
    const CellColumn& shown = columnAt(column);
    QStringList lines;
    if (summary.cell != nullptr)
        lines << cellTitle(*summary.cell);
    const bool missing = !shown.valueOf(summary, m_context).isValid();
    if (missing && shown.missing != nullptr && !shown.missing(summary, m_context).isEmpty()) {
        lines << shown.missing(summary, m_context);
    } else if (missing && !is(column, "reason")) {
        lines << missingText(summary, column);
    } else {
        lines << shown.detailOf(summary, m_context);
        if (const QString verdict = qualityVerdictText(summary);
            isJudged(shown) && !verdict.isEmpty())
            lines << tr("Against the noise floor: %1.").arg(verdict);
    }
    lines << shown.about(m_context);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString CellTableModel::missingText(const core::CellSummary& summary, int column) const
{
    if (is(column, "gates"))
        return tr("No gate applies to this cell.");
    // A doubt is about the values that are there.
    if (const QString reason = cellReason(summary); !reason.isEmpty() && summary.doubts.empty())
        return tr("No value: %1").arg(reason);
    if (!summary.measured)
        return tr("Not measured yet.");
    const core::Metric* metric = columnAt(column).metric;
    const bool compared = metric != nullptr && metric->comparesOutputs;
    if (!compared || summary.cell == nullptr || summary.cell->referenceId == summary.cellId)
        return tr("No value was recorded for this cell.");
    const auto batches = core::comparedBatches(m_store.analysis(), summary);
    QStringList texts;
    for (const std::int64_t batch : batches)
        texts << QLocale().toString(qlonglong{batch});
    // Another batch runs other kernels: its outputs say nothing about these.
    return batches.empty() ? tr("The outputs were not compared with the quality reference.")
                           : tr("The outputs were compared at batch %1 only.")
                                 .arg(texts.join(QStringLiteral(", ")));
}

int CellTableModel::rowOf(const QString& cellId) const
{
    const std::string id = cellId.toStdString();
    const auto& cells = m_store.analysis().cells;
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const auto& cell) { return cell.cellId == id; });
    const auto row = static_cast<std::size_t>(found - cells.begin());
    return found == cells.end() || row >= m_shown->cells.size() ? -1 : static_cast<int>(row);
}

QString CellTableModel::missingShortly(const CellColumn& column,
                                       const core::CellSummary& summary) const
{
    const QString text = column.missing == nullptr ? QString() : column.missing(summary, m_context);
    return text.isEmpty() && column.number ? QStringLiteral("—") : text;
}

void CellTableModel::reset()
{
    beginResetModel();
    dropInPool(std::exchange(m_shown, m_store.analysisToKeep()));
    static_cast<void>(readContext());  // a reset tells the views about headings too
    endResetModel();
}

void CellTableModel::update()
{
    if (m_shown == m_store.analysisToKeep())
        return;  // told by reset()
    if (m_store.analysis().cells.size() != m_shown->cells.size()) {
        reset();
        return;
    }
    std::shared_ptr<const core::Analysis> before = std::exchange(m_shown, m_store.analysisToKeep());
    const auto gatesBefore = std::exchange(m_context.gates, {});
    if (readContext())
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    announceChanges(*before, gatesBefore);
    dropInPool(std::move(before));
}

void CellTableModel::updateOthers()
{
    // Before the rows of the next analysis are told of, update() does it.
    if (m_shown != m_store.analysisToKeep())
        return;
    static_cast<void>(readContext());
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

bool CellTableModel::readContext()
{
    const core::RunData& data = m_store.data();
    m_context.analysis = &m_store.analysis();
    m_context.baseline = baselineText(m_store.analysis(), m_store.baseline());
    m_context.untrained = isUntrained(data.plan);
    m_context.quantizes = core::onlyQuantizes(m_store.analysis());
    m_context.unit = workUnitOf(m_store.analysis());
    m_context.price = data.plan.preset.price;
    m_context.beside = m_store.others().beside();
    m_context.stages = stagesOf(m_store.analysis());
    m_context.memoryInMebibytes = readsInMebibytes(m_store.analysis());
    m_differ.assign(cellColumns().size(), std::nullopt);
    readGates();
    std::size_t headings = qHash(m_context.baseline) + (m_context.untrained ? 1U : 0U) +
                           (m_context.memoryInMebibytes ? 2U : 0U) +
                           (m_context.quantizes ? 4U : 0U);
    headings = qHash(unitsText(m_context.unit), headings);
    headings = qHash(QByteArray::fromStdString(m_context.price.currency), headings);
    for (const QString& stage : m_context.stages)
        headings = qHash(stage, headings);
    return std::exchange(m_headingFingerprint, headings) != headings;
}

void CellTableModel::readGates()
{
    m_context.gates.clear();
    const core::RunData& data = m_store.data();
    if (data.plan.preset.gates.empty())
        return;
    const core::Analysis& analysis = m_store.analysis();
    std::vector<core::CellGates> gates = core::evaluateGates(data, analysis);
    for (std::size_t i = 0; i < gates.size(); ++i) {
        if (!gates[i].empty())
            m_context.gates.emplace(analysis.cells[i].cellId, std::move(gates[i]));
    }
}

void CellTableModel::announceChanges(const core::Analysis& before, const GatesByCell& gatesBefore)
{
    const auto gatesIn = [](const GatesByCell& gates, const std::string& cell) {
        const auto found = gates.find(cell);
        return found == gates.end() ? nullptr : &found->second;
    };
    const auto sameGates = [&](const std::string& cell) {
        const core::CellGates* then = gatesIn(gatesBefore, cell);
        const core::CellGates* now = gatesIn(m_context.gates, cell);
        return then == nullptr || now == nullptr ? then == now : *then == *now;
    };
    int first = -1;
    for (int row = 0; row <= rowCount(); ++row) {
        const auto at = static_cast<std::size_t>(row);
        const bool changed = row < rowCount() && !(before.cells[at] == m_shown->cells[at] &&
                                                   sameGates(m_shown->cells[at].cellId));
        if (changed && first < 0)
            first = row;
        // Neighbours go out in one signal: a new baseline changes every row.
        if (!changed && first >= 0) {
            Q_EMIT dataChanged(index(first, 0), index(row - 1, columnCount() - 1));
            first = -1;
        }
    }
}

}  // namespace qs::widgets

#include "moc_cell_table_model.cpp"
