#include "widgets/model/layer_tree_model.h"

#include "core/base/format.h"
#include "widgets/model/layer_report_text.h"
#include "widgets/models/plain_tip.h"

#include <QFont>
#include <QGuiApplication>
#include <QLocale>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

const LayerNode* nodeOf(const QModelIndex& index)
{
    return static_cast<const LayerNode*>(index.constInternalPointer());
}

QString layerBytesText(std::int64_t bytes)
{
    return QString::fromStdString(core::formatBytes(static_cast<double>(bytes)));
}

// "64", "12.29 k"; nothing for none.
QString countText(std::int64_t count)
{
    constexpr std::int64_t kExact = 1000;
    if (count == 0)
        return {};
    return count < kExact ? QLocale().toString(qlonglong(count))
                          : QString::fromStdString(core::formatCount(static_cast<double>(count)));
}

QString roleText(core::LayerRole role)
{
    switch (role) {
    case core::LayerRole::Attention:
        return LayerTreeModel::tr("attention");
    case core::LayerRole::Mlp:
        return LayerTreeModel::tr("MLP");
    case core::LayerRole::Convolution:
        return LayerTreeModel::tr("convolution");
    case core::LayerRole::Embedding:
        return LayerTreeModel::tr("embedding");
    case core::LayerRole::Stem:
        return LayerTreeModel::tr("stem");
    case core::LayerRole::Head:
        return LayerTreeModel::tr("head");
    }
    return {};
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

LayerFigure figureOf(int column)
{
    return static_cast<LayerFigure>(column - LayerTreeModel::Scale);
}

// "rope, qkv_split": the words of compile modes.
QString regionsText(const std::set<core::RegionKind>& regions)
{
    QStringList words;
    for (const core::RegionKind kind : regions)
        words << QString::fromLatin1(core::kRegionKinds.of(kind).data(),
                                     qsizetype(core::kRegionKinds.of(kind).size()));
    return words.join(QStringLiteral(", "));
}

QString shapeText(const std::vector<std::int64_t>& shape)
{
    QStringList extents;
    for (const std::int64_t extent : shape)
        extents << QString::number(extent);
    return extents.join(QStringLiteral(" × "));
}

}  // namespace

bool LayerTreeModel::isOfReport(int column)
{
    return column >= Scale && column <= DeadColumns;
}

bool LayerTreeModel::isReported(int column) const
{
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

QString LayerTreeModel::text(const LayerNode& node, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(node.name);
    case Role:
        return node.role ? roleText(*node.role) : QString();
    case Regions:
        return regionsText(node.regions);
    case Shape:
        return shapeText(node.shape);
    case Parameters:
        return countText(node.parameters);
    case Flops:
        return node.flops == 0.0 ? QString()
                                 : QString::fromStdString(core::formatFlops(node.flops));
    case Memory:
        return node.parameters == 0 ? QString() : layerBytesText(node.bytesAfter);
    case RunsIn:
        if (node.isLinear())
            return QString::fromStdString(node.scheme);
        return node.linearLayers == 0 ? QString()
                                      : tr("%1 of %2 in %3")
                                            .arg(QLocale().toString(node.matchedLayers),
                                                 QLocale().toString(node.linearLayers),
                                                 QString::fromStdString(node.scheme));
    case Why:
        return QString::fromStdString(node.reason);
    default:
        const core::ReportedLayer* layer = reported(node);
        return layer == nullptr ? QString() : layerFigureText(*layer, figureOf(column));
    }
}

QString LayerTreeModel::toolTip(const LayerNode& node, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(node.path);
    case Role:
        return tr("What the layer is for: layer filters go by it");
    case Regions:
        return node.regions.empty()
                   ? tr("No named region has operations of this module")
                   : tr("Named regions that have operations of this module: the compile mode "
                        "regions:%1 compiles them alone")
                         .arg(regionsText(node.regions)
                                  .replace(QStringLiteral(", "), QStringLiteral("+")));
    case Parameters:
        return tr("%1 parameters")
            .arg(QString::fromStdString(core::formatGrouped(node.parameters)));
    case Flops:
        return tr(
            "FLOPs of matrix products and attention in one pass; a multiply-add counts as two");
    case Memory:
        return node.bytesBefore == node.bytesAfter
                   ? tr("Weights in the working dtype")
                   : tr("Weights: %1 in the working dtype, %2 as stored in %3")
                         .arg(layerBytesText(node.bytesBefore), layerBytesText(node.bytesAfter),
                              QString::fromStdString(node.scheme));
    default:
        const core::ReportedLayer* layer = isOfReport(column) ? reported(node) : nullptr;
        return layer == nullptr ? text(node, column) : layerFigureTip(*layer, figureOf(column));
    }
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
        // Skipped layers step back; the reason beside them says the same in words.
        return node.isLinear() && node.matchedLayers == 0
                   ? QVariant(QGuiApplication::palette().brush(QPalette::PlaceholderText))
                   : QVariant();
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
