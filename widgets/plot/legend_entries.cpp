#include "widgets/plot/legend_entries.h"

#include "widgets/models/cell_text.h"
#include "widgets/plot/curve_walk.h"

#include <algorithm>

namespace qs::widgets {

namespace {

QString precisionKey(const QString& precision)
{
    return QStringLiteral("precision:") + precision;
}

QString compileKey(const QString& compile)
{
    return QStringLiteral("compile:") + compile;
}

std::vector<LegendEntry> factors(const CurveSet& set)
{
    std::vector<LegendEntry> precisions;
    std::vector<LegendEntry> modes;
    const auto add = [](std::vector<LegendEntry>& to, const LegendEntry& entry) {
        if (std::none_of(to.begin(), to.end(),
                         [&](const LegendEntry& each) { return each.key == entry.key; }))
            to.push_back(entry);
    };
    for (std::size_t i = 0; i < set.curves.size(); ++i) {
        const Curve& curve = set.curves[i];
        if (curve.empty())
            continue;
        // Something else differs too: precision and compile mode do not name the curve.
        if (curve.precision.isEmpty() || curve.compile.isEmpty() || curve.variant > 0)
            return {};
        add(precisions, {LegendPart::Precision, precisionKey(curve.precision), curve.precision, i});
        add(modes, {LegendPart::Compile, compileKey(curve.compile),
                    compileText(curve.compile.toStdString()), i});
    }
    precisions.insert(precisions.end(), modes.begin(), modes.end());
    return precisions;
}

}  // namespace

std::vector<LegendEntry> legendEntries(const CurveSet& set)
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < set.curves.size(); ++i) {
        if (!set.curves[i].empty())
            entries.push_back({LegendPart::Curve, set.curves[i].key, set.curves[i].name, i});
    }
    std::vector<LegendEntry> factored = factors(set);
    const bool fewer = !factored.empty() && factored.size() < entries.size();
    return fewer ? factored : entries;
}

bool isOf(const Curve& curve, const QString& key)
{
    return !key.isEmpty() && (curve.key == key || precisionKey(curve.precision) == key ||
                              compileKey(curve.compile) == key);
}

bool isHidden(const CurveSet& set, const CurveLook& look, const QString& key)
{
    return std::all_of(set.curves.begin(), set.curves.end(), [&](const Curve& curve) {
        return curve.empty() || !isOf(curve, key) || look.hidden.contains(curve.key);
    });
}

QString cellOfKey(const CurveSet& set, const QString& key, const QString& selectedCell)
{
    Curve all;
    for (const Curve& curve : set.curves) {
        if (isOf(curve, key))
            all.points.insert(all.points.end(), curve.points.begin(), curve.points.end());
    }
    const bool moreIsBetter = set.metric->better == core::Better::Higher;
    std::sort(all.points.begin(), all.points.end(),
              [&](const auto& a, const auto& b) { return moreIsBetter ? a.y > b.y : a.y < b.y; });
    return cellToSelect(set, all, selectedCell);
}

}  // namespace qs::widgets
