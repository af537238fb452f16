#include "widgets/model/layer_source.h"

#include "core/model/family_registry.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/preset_axes.h"

#include <algorithm>

namespace qs::widgets {

namespace {

QStringList valuesOf(const core::Preset& preset, const std::string& name)
{
    QStringList values;
    if (const core::Axis* axis = core::findAxis(preset, name)) {
        for (const std::string& value : axis->values)
            values << QString::fromStdString(value);
    } else {
        values << QString::fromStdString(core::memberText(preset.defaults, name));
    }
    return values;
}

// The first value of each size that the sweep names.
core::Sizes firstSizes(const core::Preset& preset)
{
    core::Sizes sizes;
    for (const core::SizeSpec& size : core::knownSizes()) {
        if (const std::int64_t first = valuesOf(preset, size.name).front().toLongLong(); first > 0)
            sizes.set(size.name, first);
    }
    return sizes;
}

void addOnce(QStringList& list, const std::string& text)
{
    const QString added = QString::fromStdString(text);
    if (!list.contains(added))
        list << added;
}

}  // namespace

LayerSource layerSource(const core::Preset& draft)
{
    return {.model = valuesOf(draft, "model").front().toStdString(),
            .seed = draft.defaults.seed,
            .precisions = valuesOf(draft, "precision"),
            .layers = valuesOf(draft, "layers"),
            .shape = {valuesOf(draft, "batch").front().toLongLong(), firstSizes(draft)}};
}

LayerSource layerSource(const core::Plan& run, const std::string& cellId)
{
    const auto& cells = run.cells;
    if (cells.empty())
        return {};
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const auto& cell) { return cell.id == cellId; });
    const core::CellConfig& first = (found == cells.end() ? cells.front() : *found).config;
    LayerSource source{.model = first.model,
                       .seed = first.seed,
                       .shape = {first.batch, first.sizes},
                       .cells = cells.size()};
    for (const core::PlannedCell& cell : cells) {
        if (cell.config.model != source.model)
            continue;
        addOnce(source.precisions, core::precisionText(cell.config));
        addOnce(source.layers, cell.config.layers);
    }
    return source;
}

QString sizesText(const LayerSource& source)
{
    return QString::fromStdString(
        core::sizesText(source.inspection->family->workload().completed(source.shape.sizes)));
}

}  // namespace qs::widgets
