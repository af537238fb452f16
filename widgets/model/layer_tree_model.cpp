#include "widgets/model/layer_tree_model.h"

#include "widgets/model/layer_report_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/table/severity_delegate.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

const LayerNode* nodeOf(const QModelIndex& index)
{
    return static_cast<const LayerNode*>(index.constInternalPointer());
}

double number(const LayerNode& node, int column)
{
    switch (column) {
    case LayerTreeModel::Parameters:
        return static_cast<double>(node.parameters);
    case LayerTreeModel::Flops:
        return node.flops;
    case LayerTreeModel::Memory:
        return static_cast<double>(node.bytesAfter);
    default:
        return 0.0;
    }
}

bool isNumeric(int column)
{
    return (column >= LayerTreeModel::Shape && column <= LayerTreeModel::Memory) ||
           LayerTreeModel::isOfReport(column);
}

}  // namespace

bool LayerTreeModel::isOfReport(int column)
{
    return column >= Scale && column <= DeadColumns;
}

LayerFigure LayerTreeModel::figureOf(int column)
{
    return static_cast<LayerFigure>(column - Scale);
}

bool LayerTreeModel::isReported(int column) const
{
    if (column == Fused)
        return std::any_of(m_report.begin(), m_report.end(),
                           [](const auto& each) { return !each.second.fused.empty(); });
    if (column < SolverLoss)
        return !m_report.empty();
    return std::any_of(m_report.begin(), m_report.end(),
                       [](const auto& each) { return each.second.deadColumns.has_value(); });
}

LayerTreeModel::LayerTreeModel(QObject* parent) : QAbstractItemModel(parent) {}

void LayerTreeModel::setTree(LayerTree tree, Ticking ticking)
{
    beginResetModel();
    m_tree = std::move(tree);
    if (ticking == Ticking::AsRecipe)
        m_ticks.follow(m_tree);
    m_places.clear();
    remember(m_tree.stages, nullptr);
    endResetModel();
}

void LayerTreeModel::setReport(const std::optional<core::LayerReport>& report)
{
    m_report.clear();
    if (report) {
        for (const core::ReportedLayer& layer : report->layers)
            m_report.emplace(layer.stage + '/' + layer.module, layer);
    }
    tellChanged({});
}

const core::ReportedLayer* LayerTreeModel::reported(const LayerNode& node) const
{
    const auto found = m_report.find(node.stage + '/' + node.path);
    return found == m_report.end() ? nullptr : &found->second;
}

void LayerTreeModel::tellChanged(const QModelIndex& parent)
{
    const int rows = rowCount(parent);
    if (rows == 0)
        return;
    Q_EMIT dataChanged(index(0, 0, parent), index(rows - 1, ColumnCount - 1, parent));
    for (int row = 0; row < rows; ++row)
        tellChanged(index(row, 0, parent));
}

void LayerTreeModel::remember(const std::vector<LayerNode>& nodes, const LayerNode* parent)
{
    int row = 0;
    for (const LayerNode& node : nodes) {
        m_places[&node] = {parent, row++};
        remember(node.children, &node);
    }
}

const std::vector<LayerNode>& LayerTreeModel::childrenOf(const QModelIndex& parent) const
{
    return parent.isValid() ? nodeOf(parent)->children : m_tree.stages;
}

QModelIndex LayerTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, &childrenOf(parent)[static_cast<std::size_t>(row)]);
}

QModelIndex LayerTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    const LayerNode* parent = m_places.at(nodeOf(child)).parent;
    return parent == nullptr ? QModelIndex() : createIndex(m_places.at(parent).row, 0, parent);
}

int LayerTreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int LayerTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

// The words beside it say the same.
QVariant LayerTreeModel::foreground(const LayerNode& node, int column) const
{
    const QPalette palette = QGuiApplication::palette();
    const core::ReportedLayer* layer = column == Executed ? reported(node) : nullptr;
    if (layer != nullptr && layer->mismatch)
        return severityColor(Severity::Error, palette);
    // Skipped layers step back.
    return node.isLinear() && node.matchedLayers == 0
               ? QVariant(palette.brush(QPalette::PlaceholderText))
               : QVariant();
}

QVariant LayerTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LayerNode& node = *nodeOf(index);
    const int column = index.column();
    const bool numeric = isNumeric(column);
    switch (role) {
    case Qt::DisplayRole:
        return text(node, column);
    case Qt::ToolTipRole:
        return plainTip(toolTip(node, column));
    case kSortRole:
        return column >= Parameters && column <= Memory ? QVariant(number(node, column))
                                                        : QVariant(text(node, column));
    case Qt::CheckStateRole:
        return column == Name && node.linearLayers > 0 ? QVariant(m_ticks.stateOf(node))
                                                       : QVariant();
    case Qt::TextAlignmentRole:
        return numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::FontRole:
        if (column == RunsIn && node.isLinear() && node.matchedLayers == 1) {
            QFont bold = QGuiApplication::font();
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::ForegroundRole:
        return foreground(node, column);
    default:
        return {};
    }
}

QVariant LayerTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return isNumeric(section) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && isOfReport(section))
        return wrappedTip(layerFigureMeaning(figureOf(section)));
    if (role == Qt::ToolTipRole && section == Regions)
        return wrappedTip(tr("Named regions that compile modes such as regions:rope+norm compile "
                             "alone, found by their operations"));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Layer");
    case Role:
        return tr("Role");
    case Regions:
        return tr("Regions");
    case Shape:
        return tr("Shape");
    case Parameters:
        return tr("Parameters");
    case Flops:
        return tr("Work per pass");
    case Memory:
        return tr("Weights");
    case RunsIn:
        return tr("Runs in");
    case Why:
        return tr("Why not quantized");
    default:
        return layerFigureTitle(figureOf(section));
    }
}

Qt::ItemFlags LayerTreeModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && index.column() == Name && nodeOf(index)->linearLayers > 0)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool LayerTreeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable))
        return false;
    m_ticks.tick(*nodeOf(index), value.toInt() == Qt::Checked);
    // What stands above and below of it changes, too.
    tellChanged({});
    Q_EMIT ticked();
    return true;
}

}  // namespace qs::widgets

#include "moc_layer_tree_model.cpp"
