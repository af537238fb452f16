#include "widgets/plot/curve_range.h"

#include "widgets/plot/qcustomplot.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::widgets {

namespace {

// Grows a range by what lies in it.
class Extent final
{
public:
    explicit Extent(bool logarithmic) : m_logarithmic(logarithmic) {}

    void add(double value)
    {
        if (!std::isfinite(value) || (m_logarithmic && value <= 0.0))
            return;
        m_lower = std::min(m_lower, value);
        m_upper = std::max(m_upper, value);
    }
    [[nodiscard]] bool empty() const { return m_lower > m_upper; }
    // Whether a value lies more than so many times as far away as the values from one another.
    [[nodiscard]] bool isFar(double value, double times) const
    {
        const auto place = [&](double each) { return m_logarithmic ? std::log(each) : each; };
        const double away = std::max(place(m_lower) - place(value), place(value) - place(m_upper));
        return m_upper > m_lower && away > times * (place(m_upper) - place(m_lower));
    }

    // As far as half of what is seen would be the room of intervals. Values that hardly differ give
    // them as much as their size does.
    [[nodiscard]] QCPRange withRoomForIntervals() const
    {
        if (m_logarithmic) {
            const double factor = std::max(m_upper / m_lower, 2.0);
            return {m_lower / factor, m_upper * factor};
        }
        const double size = std::max(std::abs(m_lower), std::abs(m_upper));
        const double room = std::max(m_upper - m_lower, 0.5 * size);
        return {m_lower - room, m_upper + room};
    }

    // With a margin of `share` on both sides; a single value gets room around it.
    [[nodiscard]] QCPRange padded(double share) const
    {
        if (empty())
            return m_logarithmic ? QCPRange(1.0, 10.0) : QCPRange(0.0, 1.0);
        if (m_logarithmic) {
            const double factor = std::max(std::pow(m_upper / m_lower, share), 1.15);
            return {m_lower / factor, m_upper * factor};
        }
        const double room = m_upper > m_lower ? (m_upper - m_lower) * share
                                              : std::max(std::abs(m_upper) * share, 1e-6);
        return {m_lower - room, m_upper + room};
    }

private:
    bool m_logarithmic;
    double m_lower = std::numeric_limits<double>::infinity();
    double m_upper = -std::numeric_limits<double>::infinity();
};

// Not beyond what the metric can be, but for the half of a mark that stands at its end.
QCPRange within(const QCPRange& range, const MetricLimits& limits, double mark)
{
    const double room = range.size() * mark;
    return {std::max(range.lower, limits.lower - room), std::min(range.upper, limits.upper + room)};
}

void addPoints(Extent& across, Extent& up, const CurveSet& set, const CurveLook& look)
{
    for (const Curve& curve : set.curves) {
        if (look.hidden.contains(curve.key))
            continue;
        for (const CurvePoint& point : curve.points) {
            across.add(point.x);
            up.add(point.y);
        }
    }
}

// One that knows next to nothing would press all values to a line: it is cut off.
void addIntervals(Extent& up, const CurveSet& set, const CurveLook& look)
{
    if (up.empty())
        return;
    const QCPRange most = up.withRoomForIntervals();
    for (const Curve& curve : set.curves) {
        if (look.hidden.contains(curve.key))
            continue;
        for (const CurvePoint& point : curve.points) {
            if (!point.interval)
                continue;
            up.add(std::max(point.interval->lower, most.lower));
            up.add(std::min(point.interval->upper, most.upper));
        }
    }
}

}  // namespace

QRectF fullRange(const CurveSet& set, const CurveLook& look)
{
    const bool numbers = set.categories.isEmpty();
    Extent across(logarithmicAcross(set, look));
    Extent up(look.logarithmicY);
    addPoints(across, up, set, look);
    for (const Curve& curve : set.curves) {
        if (look.hidden.contains(curve.key))
            continue;
        for (const CurveEnd& end : curve.ends) {
            across.add(end.x);
            up.add(end.y);
        }
    }
    for (const QPointF& point : set.baseline) {
        across.add(point.x());
        up.add(point.y());
    }
    for (const CurveRoof& roof : set.roofs) {
        for (const QPointF& point : roof.points) {
            if (look.roofs && !roofIsFar(set, roof))
                up.add(point.y());
        }
    }
    // A ratio of heights can be read off only from zero; SSIM and PSNR would be squeezed to a line.
    if (!look.logarithmicY && !(set.metric != nullptr && isQuality(*set.metric)) && !up.empty())
        up.add(0.0);
    for (const CurveRule& rule : set.rules) {
        if (!ruleIsFar(set, look, rule))
            (rule.level ? up : across).add(rule.at);
    }
    addIntervals(up, set, look);
    // Where cells are still to come, so that nothing jumps when they do.
    for (const double place : set.planned)
        across.add(place);
    QCPRange x = across.padded(0.05);
    // Those whose area is a figure are larger.
    const double mark = set.scatter ? 0.04 : 0.02;
    const double room = look.markRoom / (1.0 - 2.0 * look.markRoom);
    QCPRange y = within(up.padded(std::max(0.06, room)), set.yLimits, std::max(mark, room));
    if (set.scatter)
        x = within(x, set.xLimits, mark);
    if (!numbers)
        x = QCPRange(-0.5, static_cast<double>(set.categories.size()) - 0.5);
    if (!look.logarithmicY && !(set.metric != nullptr && isQuality(*set.metric)))
        y.lower = std::max(y.lower, 0.0);
    return {x.lower, y.lower, x.size(), y.size()};
}

int pointsOutside(const CurveSet& set, const CurveLook& look, const QRectF& range)
{
    qsizetype outside = 0;
    for (const Curve& curve : set.curves) {
        if (!look.hidden.contains(curve.key))
            outside += std::count_if(curve.points.begin(), curve.points.end(),
                                     [&](const CurvePoint& point) {
                                         return point.x < range.left() || point.x > range.right() ||
                                                point.y < range.top() || point.y > range.bottom();
                                     });
    }
    return static_cast<int>(outside);
}

std::optional<double> onlyPlace(const CurveSet& set)
{
    std::optional<double> only;
    bool several = !set.categories.isEmpty() || set.scatter;
    const auto consider = [&](double x) {
        several = several || (only && *only != x);
        only = x;
    };
    for (const Curve& curve : set.curves) {
        for (const CurvePoint& point : curve.points)
            consider(point.x);
        for (const CurveEnd& end : curve.ends)
            consider(end.x);
    }
    std::for_each(set.planned.begin(), set.planned.end(), consider);
    return several ? std::nullopt : only;
}

bool roofIsFar(const CurveSet& set, const CurveRoof& roof)
{
    constexpr double kFar = 1.6;
    // A roof bounds rates and memory from above, times from below.
    const bool above = set.metric->unit == core::MetricUnit::PerSecond ||
                       set.metric->unit == core::MetricUnit::Bytes;
    double nearest = 0.0;
    for (const Curve& curve : set.curves) {
        for (const CurvePoint& point : curve.points)
            nearest = nearest == 0.0 || (above ? point.y > nearest : point.y < nearest) ? point.y
                                                                                        : nearest;
    }
    if (!above || nearest <= 0.0)
        return false;
    return std::all_of(roof.points.begin(), roof.points.end(),
                       [&](const QPointF& point) { return point.y() > kFar * nearest; });
}

bool ruleIsFar(const CurveSet& set, const CurveLook& look, const CurveRule& rule)
{
    constexpr double kFar = 8.0;  // times the room of the cells
    Extent across(logarithmicAcross(set, look));
    Extent up(look.logarithmicY);
    addPoints(across, up, set, look);
    return (rule.level ? up : across).isFar(rule.at, kFar);
}

QStringList farRules(const CurveSet& set, const CurveLook& look)
{
    QStringList names;
    for (const CurveRule& rule : set.rules) {
        if (ruleIsFar(set, look, rule))
            names << rule.name;
    }
    return names;
}

QStringList legendKeys(const CurveSet& set)
{
    QStringList keys;
    for (const Curve& curve : set.curves) {
        if (!curve.empty() && keys.size() < kMostLegendEntries)
            keys << curve.key;
    }
    return keys;
}

}  // namespace qs::widgets
