#include "widgets/plot/curve_walk.h"

#include <algorithm>
#include <optional>

namespace qs::widgets {

const Curve* curveOf(const CurveSet& set, const QString& key)
{
    const auto found = std::find_if(set.curves.begin(), set.curves.end(),
                                    [&](const Curve& curve) { return curve.key == key; });
    return key.isEmpty() || found == set.curves.end() ? nullptr : &*found;
}

QString cellToSelect(const CurveSet& set, const Curve& curve, const QString& selectedCell)
{
    std::optional<double> place;
    for (const Curve& each : set.curves) {
        for (const CurvePoint& point : each.points) {
            if (point.cellId == selectedCell)
                place = point.x;
        }
    }
    const bool moreIsBetter = set.metric->better == core::Better::Higher;
    const CurvePoint* best = nullptr;
    for (const CurvePoint& point : curve.points) {
        if (place == point.x)
            return point.cellId;
        if (best == nullptr || (moreIsBetter ? point.y > best->y : point.y < best->y))
            best = &point;
    }
    return best == nullptr ? QString() : best->cellId;
}

QString neighbourCell(const CurveSet& set, const CurveLook& look, int along, int across)
{
    const CurvePoint* first = nullptr;
    const CurvePoint* from = nullptr;
    const Curve* home = nullptr;
    for (const Curve& curve : set.curves) {
        for (const CurvePoint& point : curve.points) {
            if (look.hidden.contains(curve.key))
                continue;
            first = first == nullptr ? &point : first;
            if (point.cellId == look.selectedCell) {
                from = &point;
                home = &curve;
            }
        }
    }
    const CurvePoint* target = from == nullptr ? first : nullptr;
    const auto consider = [&](const CurvePoint& point) {
        const double here = along != 0 ? from->x : from->y;
        const auto way = [&](const CurvePoint& to) {
            return ((along != 0 ? to.x : to.y) - here) * (along != 0 ? along : across);
        };
        const bool eligible = along != 0 || point.x == from->x;
        if (eligible && way(point) > 0.0 && (target == nullptr || way(point) < way(*target)))
            target = &point;
    };
    for (const Curve& curve : set.curves) {
        if (from == nullptr || look.hidden.contains(curve.key) || (along != 0 && &curve != home))
            continue;
        std::for_each(curve.points.begin(), curve.points.end(), consider);
    }
    return target == nullptr ? QString() : target->cellId;
}

}  // namespace qs::widgets
