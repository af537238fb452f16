// What the columns of the layers say.
#include "core/base/format.h"
#include "widgets/model/layer_report_text.h"
#include "widgets/model/layer_tree_model.h"

#include <QLocale>

namespace qs::widgets {

namespace {

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

}  // namespace qs::widgets
