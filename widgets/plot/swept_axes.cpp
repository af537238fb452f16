#include "widgets/plot/swept_axes.h"

#include "core/analysis/shown_cells.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <map>

namespace qs::widgets {

std::set<std::string> variedAxes(const std::vector<const core::CellSummary*>& cells)
{
    std::set<std::string> varied;
    for (const core::AxisSpec& axis : core::axisSpecs()) {
        const core::CellSummary* told = firstTold(cells, axis);
        if (told == nullptr)
            continue;
        const std::string first = axis.text(told->cell->config);
        if (std::any_of(cells.begin(), cells.end(), [&](const core::CellSummary* cell) {
                return axis.text(cell->cell->config) != first &&
                       !core::isIdle(axis, cell->cell->config);
            }))
            varied.insert(axis.name);
    }
    return varied;
}

const core::CellSummary* firstTold(const std::vector<const core::CellSummary*>& cells,
                                   const core::AxisSpec& axis)
{
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const core::CellSummary* cell) {
        return !core::isIdle(axis, cell->cell->config);
    });
    return found == cells.end() ? nullptr : *found;
}

std::set<std::string> sizesOfModels(const std::vector<const core::CellSummary*>& cells)
{
    std::set<std::string> sizes;
    for (const std::string& axis : core::axisNames()) {
        if (!core::isWholeNumberAxis(axis))
            continue;
        std::map<std::string, std::string> of;  // by model
        const bool own = std::all_of(cells.begin(), cells.end(), [&](const auto* cell) {
            const std::string value = core::memberText(cell->cell->config, axis);
            return of.emplace(cell->cell->config.model, value).first->second == value;
        });
        const bool differ = std::any_of(of.begin(), of.end(), [&](const auto& each) {
            return each.second != of.begin()->second;
        });
        if (own && differ)
            sizes.insert(axis);
    }
    return sizes;
}

QStringList sweptAxes(const core::Analysis& analysis)
{
    const std::set<std::string> varied = variedAxes(core::shownCells(analysis));
    QStringList axes;
    for (const std::string& axis : core::axisNames()) {
        if (varied.contains(axis))
            axes << QString::fromStdString(axis);
    }
    // Something has to be on the axis of a run that sweeps over nothing.
    if (axes.isEmpty())
        axes << QStringLiteral("batch");
    return axes;
}

QString firstAxis(const QStringList& axes, const core::Analysis& analysis)
{
    const bool ofModels = sizesOfModels(core::shownCells(analysis)).contains("batch");
    for (const char* axis : {ofModels ? "model" : "batch", "precision"}) {
        if (axes.contains(QLatin1String(axis)))
            return QString::fromLatin1(axis);
    }
    return axes.front();
}

}  // namespace qs::widgets
