#include "widgets/plan/planned_cells_model.h"

#include "core/base/format.h"
#include "core/report/words/note_text.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

#include <QGuiApplication>
#include <QPalette>

#include <utility>

namespace qs::widgets {

namespace {

QString cellText(const std::string& text)
{
    return QString::fromStdString(text);
}

QString remarkOn(const core::PlannedCell& cell)
{
    if (!cell.possible())
        return PlannedCellsModel::tr("cannot run: %1")
            .arg(cellText(core::noteText(*cell.impossible)));
    QStringList notes;
    for (const std::string& note : core::noteTexts(cell.notes))
        notes << cellText(note);
    return notes.join(QStringLiteral("; "));
}

QString text(const core::PlannedCell& cell, int column)
{
    switch (column) {
    case PlannedCellsModel::Cell:
        return cellTitle(cell);
    case PlannedCellsModel::Role:
        return roleText(cell.role);
    case PlannedCellsModel::Time:
        return cell.possible() ? cellText(core::formatSeconds(cell.estimatedSeconds)) : QString();
    case PlannedCellsModel::Weights:
        return cell.weightBytes > 0
                   ? cellText(core::formatBytes(static_cast<double>(cell.weightBytes)))
                   : QString();
    case PlannedCellsModel::Work:
        return cell.flops > 0.0 ? cellText(core::formatFlops(cell.flops)) : QString();
    default:
        return remarkOn(cell);
    }
}

double number(const core::PlannedCell& cell, int column)
{
    if (column == PlannedCellsModel::Time)
        return cell.possible() ? cell.estimatedSeconds : -1.0;
    return column == PlannedCellsModel::Weights ? static_cast<double>(cell.weightBytes)
                                                : cell.flops;
}

}  // namespace

PlannedCellsModel::PlannedCellsModel(core::Plan plan, QObject* parent)
    : QAbstractTableModel(parent), m_plan(std::move(plan))
{
}

int PlannedCellsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_plan.cells.size());
}

int PlannedCellsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PlannedCellsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::PlannedCell& cell = m_plan.cells[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool numeric = column >= Time && column <= Work;
    switch (role) {
    case Qt::DisplayRole:
        return text(cell, column);
    case Qt::ToolTipRole:
        return plainTip(text(cell, column));
    case kSortRole:
        return numeric ? QVariant(number(cell, column)) : QVariant(text(cell, column));
    case Qt::TextAlignmentRole:
        return numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return cell.possible()
                   ? QVariant()
                   : QVariant(QGuiApplication::palette().brush(QPalette::PlaceholderText));
    default:
        return {};
    }
}

QVariant PlannedCellsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::ToolTipRole && section == Time)
        return tr("Estimated time of one repeat with loading, compiling and warm-up");
    if (role == Qt::ToolTipRole && section == Work)
        return tr(
            "FLOPs of matrix products and attention in one pass; a multiply-add counts as two");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Cell:
        return tr("Cell");
    case Role:
        return tr("Role");
    case Time:
        return tr("Estimated time");
    case Weights:
        return tr("Weights");
    case Work:
        return tr("Work per pass");
    default:
        return tr("Notes");
    }
}

}  // namespace qs::widgets

#include "moc_planned_cells_model.cpp"
