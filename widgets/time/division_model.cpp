#include "widgets/time/division_model.h"

#include "core/analysis/cell_label.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/models/short_names.h"

#include <QLocale>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr double kMilliseconds = 1e3;

}  // namespace

DivisionModel::DivisionModel(const RunStore& store, QObject* parent)
    : QAbstractTableModel(parent), m_store(store)
{
    connect(&store, &RunStore::analysisChanged, this, &DivisionModel::refresh);
    refresh();
}

void DivisionModel::refresh()
{
    beginResetModel();
    m_rows.clear();
    m_longest = 0.0;
    const core::Analysis& analysis = m_store.analysis();
    const core::CellLabels& labels = analysis.labels;
    const bool batches = std::any_of(
        analysis.cells.begin(), analysis.cells.end(), [&](const core::CellSummary& summary) {
            return summary.cell->config.batch != analysis.cells.front().cell->config.batch;
        });
    for (const core::CellSummary& summary : analysis.cells) {
        WorkShares shares = workSharesOf(summary);
        if (shares.empty() || summary.throughput <= 0.0)
            continue;
        m_rows.push_back({.cellId = QString::fromStdString(summary.cellId),
                          .name = QString::fromStdString(batches ? labels.withBatch(*summary.cell)
                                                                 : labels.of(*summary.cell)),
                          .seconds = 1.0 / summary.throughput,
                          .shares = std::move(shares),
                          .launches = summary.division->launches});
        m_longest = std::max(m_longest, m_rows.back().seconds);
    }
    addShortNames(m_rows);
    endResetModel();
}

int DivisionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DivisionModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DivisionModel::textOf(const Row& row, int column) const
{
    switch (column) {
    case Cell:
        return row.shortName;
    case PerUnit:
        return significantText(row.seconds * kMilliseconds, 4);
    case Launches:
        return QLocale().toString(qRound64(row.launches));
    default:
        return {};
    }
}

QVariant DivisionModel::sortValue(const Row& row, int column) const
{
    switch (column) {
    case Cell:
        return row.name;
    case Launches:
        return row.launches;
    default:
        return row.seconds;
    }
}

QVariant DivisionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return plainTip(row.name + QLatin1Char('\n') + sharesText(row.shares) + QLatin1Char('\n') +
                        tr("Launches: %1").arg(textOf(row, Launches).toString()));
    case Qt::AccessibleTextRole:
        return index.column() == Bar ? sharesText(row.shares) : textOf(row, index.column());
    case Qt::TextAlignmentRole:
        return int(index.column() == PerUnit || index.column() == Launches
                       ? Qt::AlignRight | Qt::AlignVCenter
                       : Qt::AlignLeft | Qt::AlignVCenter);
    case SortRole:
        return sortValue(row, index.column());
    case CellIdRole:
        return row.cellId;
    case SharesRole:
        return QVariant::fromValue(row.shares);
    case LengthRole:
        return m_longest > 0.0 ? row.seconds / m_longest : 0.0;
    default:
        return {};
    }
}

QVariant DivisionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(section == PerUnit || section == Launches ? Qt::AlignRight : Qt::AlignLeft);
    if (role == Qt::ToolTipRole && section == Launches)
        return tr("Kernels and copies of a pass on a GPU, operations on a CPU");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Cell:
        return tr("Cell");
    case PerUnit:
        return tr("ms/%1", "ms per image").arg(unitText(workUnitOf(m_store.analysis())));
    case Bar:
        return tr("Where the time goes");
    case Launches:
        return tr("Launches");
    default:
        return {};
    }
}

}  // namespace qs::widgets

#include "moc_division_model.cpp"
