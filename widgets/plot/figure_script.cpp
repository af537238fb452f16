#include "widgets/plot/figure_script.h"

#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/pareto_drawing.h"

#include "core/base/format.h"
#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace qs::widgets {

namespace {

QString number(double value)
{
    return std::isfinite(value) ? QString::fromStdString(core::formatExact(value)) : QString();
}

QString field(QString text)
{
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')))
        return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
           QLatin1Char('"');
}

QString row(const QStringList& fields)
{
    QStringList escaped;
    for (const QString& each : fields)
        escaped << field(each);
    return escaped.join(QLatin1Char(',')) + QLatin1Char('\n');
}

// The name of the curve says which run it is of.
QString cellOf(const CurvePoint& point)
{
    const auto overlaid = overlaidCell(point.cellId);
    return overlaid ? overlaid->cellId : point.cellId;
}

QString csvOf(const CurveSet& set, const CurveLook& look)
{
    QString csv = QStringLiteral("kind,series,cell,x,y,y_from,y_to,size\n");
    const auto place = [&](double x) {
        return set.categories.isEmpty() ? number(x)
                                        : set.categories.value(static_cast<qsizetype>(x));
    };
    for (const Curve& curve : set.curves) {
        if (look.hidden.contains(curve.key))
            continue;
        for (const CurvePoint& point : curve.points)
            csv += row({QStringLiteral("curve"), curve.name, cellOf(point), place(point.x),
                        number(point.y), point.interval ? number(point.interval->lower) : QString(),
                        point.interval ? number(point.interval->upper) : QString(),
                        number(point.size)});
        for (const CurveEnd& end : curve.ends)
            csv += row({QStringLiteral("out of memory"),
                        curve.name,
                        end.cellId,
                        place(end.x),
                        number(end.y),
                        {},
                        {},
                        {}});
    }
    for (const CurveRoof& roof : set.roofs) {
        if (!look.roofs || roofIsFar(set, roof))
            continue;
        for (const QPointF& point : roof.points)
            csv += row({QStringLiteral("peak"),
                        roof.name,
                        {},
                        place(point.x()),
                        number(point.y()),
                        {},
                        {},
                        {}});
    }
    for (const QPointF& point : set.baseline)
        csv += row({QStringLiteral("baseline"),
                    set.baselineName,
                    {},
                    place(point.x()),
                    number(point.y()),
                    {},
                    {},
                    {}});
    for (const Frontier& frontier : frontiersOf(set, look)) {
        for (const QPointF& point : frontier.points)
            csv += row({QStringLiteral("frontier"),
                        frontier.name,
                        {},
                        place(point.x()),
                        number(point.y()),
                        {},
                        {},
                        {}});
    }
    for (const CurveRule& rule : set.rules)
        csv += row({QStringLiteral("rule"),
                    rule.name,
                    {},
                    rule.level ? QString() : number(rule.at),
                    rule.level ? number(rule.at) : QString(),
                    {},
                    {},
                    {}});
    return csv;
}

const char* markerOf(Marker marker)
{
    switch (marker) {
    case Marker::Circle:
        return "o";
    case Marker::Square:
        return "s";
    case Marker::Diamond:
        return "D";
    case Marker::Triangle:
        return "^";
    case Marker::TriangleDown:
        return "v";
    case Marker::TriangleLeft:
        return "<";
    case Marker::TriangleRight:
        return ">";
    case Marker::Pentagon:
        return "p";
    case Marker::ThinDiamond:
        return "d";
    case Marker::Cross:
        return "X";
    case Marker::Plus:
        return "+";
    case Marker::Star:
        return "*";
    case Marker::CrossedSquare:
        return "P";
    }
    return "o";
}

// JSON of texts is Python.
QString stylesOf(const CurveSet& set, const CurveLook& look)
{
    const std::vector<CurveStyle> styles = curveStyles(set, printTheme());
    const bool points = set.scatter || !set.categories.isEmpty();
    core::Json all = core::Json::array();
    for (std::size_t i = 0; i < set.curves.size(); ++i) {
        const Curve& curve = set.curves[i];
        if (curve.points.empty() || look.hidden.contains(curve.key))
            continue;
        core::Json style = core::Json::object();
        style["color"] = styles[i].color.name().toStdString();
        // Both count dashes in widths of the line.
        if (!points && !styles[i].dashes.isEmpty())
            style["dashes"] = std::vector<double>(styles[i].dashes.begin(), styles[i].dashes.end());
        else
            style["linestyle"] = points ? "none" : "-";
        style["marker"] = markerOf(styles[i].marker);
        all.push_back(core::Json::array({curve.name.toStdString(), style}));
    }
    return QString::fromStdString(core::jsonText(all, 4));
}

QString quoted(const QString& text)
{
    return QString::fromStdString(core::jsonText(core::Json(text.toStdString())));
}

constexpr const char* kProgram = R"(import csv
import os
import sys

import matplotlib.pyplot as plt

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), @CSV@)
STYLES = @STYLES@
CATEGORIES = @CATEGORIES@
BOTTOM, TOP = @YFROM@, @YTO@


def place(text):
    return CATEGORIES.index(text) if CATEGORIES else float(text)


with open(FILE, newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))

plt.rcParams.update({@TYPE@, "pdf.fonttype": 42, "svg.fonttype": "none"})
figure, axes = plt.subplots(figsize=(@WIDTH@, @HEIGHT@), layout="constrained")
for kind, color, width in (("baseline", "0.7", 4), ("frontier", "0.4", 1)):
    names = dict.fromkeys(row["series"] for row in rows if row["kind"] == kind)
    for line, name in zip(("-", "--", "-.", ":"), names):
        points = [row for row in rows if row["kind"] == kind and row["series"] == name]
        axes.plot([place(row["x"]) for row in points], [float(row["y"]) for row in points],
                  color=color, linewidth=width, zorder=1,
                  drawstyle="steps-pre" if kind == "frontier" else "default",
                  linestyle="none" if kind == "baseline" and @POINTS@ else line,
                  marker="o" if kind == "baseline" else None, label=name)
for row in rows:
    if row["kind"] == "rule":
        line = axes.axvline if row["x"] else axes.axhline
        line(float(row["x"] or row["y"]), color="0.4", linestyle=":", label=row["series"])
for name in dict.fromkeys(row["series"] for row in rows if row["kind"] == "peak"):
    points = [row for row in rows if row["kind"] == "peak" and row["series"] == name]
    if len(points) == 1:
        axes.axhline(float(points[0]["y"]), color="0.3", linestyle="--", label=name)
    else:
        axes.plot([place(row["x"]) for row in points], [float(row["y"]) for row in points],
                  color="0.3", linestyle="--", label=name)
for name, style in STYLES:
    points = [row for row in rows if row["kind"] == "curve" and row["series"] == name]
    x = [place(row["x"]) for row in points]
    y = [float(row["y"]) for row in points]
    low = [float(row["y"]) - float(row["y_from"]) if row["y_from"] else 0.0 for row in points]
    high = [float(row["y_to"]) - float(row["y"]) if row["y_to"] else 0.0 for row in points]
    axes.errorbar(x, y, yerr=[low, high], label=name, capsize=2, markersize=4, linewidth=1, **style)
    for at, row in zip(x, points):
        for end, edge, mark in (("y_from", BOTTOM, "v"), ("y_to", TOP, "^")):
            if row[end] and BOTTOM < float(row["y"]) < TOP and not BOTTOM <= float(row[end]) <= TOP:
                axes.plot([at], [edge], color=style["color"], marker=mark, markersize=4,
                          clip_on=False)
    for row in rows:
        if row["kind"] == "out of memory" and row["series"] == name:
            axes.plot([place(row["x"])], [float(row["y"])], color=style["color"], marker="x")
    if @SIZES@:
        axes.scatter(x, y, s=[40 * float(row["size"]) ** 2 for row in points],
                     color=style["color"], alpha=0.25, zorder=0)
axes.set_xlabel(@XLABEL@)
axes.set_ylabel(@YLABEL@)
axes.set_title(@TITLE@)
@XSCALE@
@YSCALE@
axes.set_xlim(@XFROM@, @XTO@)
axes.set_ylim(@YFROM@, @YTO@)
axes.grid(color="0.9")
axes.set_axisbelow(True)
@LEGEND@
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else os.path.splitext(FILE)[0] + ".pdf")
)";

QString xScale(const CurveSet& set, const CurveLook& look)
{
    if (!set.categories.isEmpty())
        return QStringLiteral("axes.set_xticks(range(len(CATEGORIES)), CATEGORIES, rotation=30)");
    if (!logarithmicAcross(set, look))
        return QStringLiteral("axes.set_xscale(\"linear\")");
    return set.axis == QStringLiteral("batch") ? QStringLiteral("axes.set_xscale(\"log\", base=2)")
                                               : QStringLiteral("axes.set_xscale(\"log\")");
}

QString typeOf(const CurveExport& options)
{
    const QString size = QStringLiteral("\"font.size\": ") + number(options.points);
    return options.family.isEmpty()
               ? size
               : QStringLiteral("\"font.family\": %1, ").arg(quoted(options.family)) + size;
}

QString legendOf(const CurveExport& options)
{
    const LegendPlace place = options.legend.value_or(LegendPlace::Right);
    if (place == LegendPlace::None)
        return QStringLiteral("# Without a legend, as it was chosen.");
    return QStringLiteral("axes.legend(fontsize=\"small\", frameon=False%1)")
        .arg(!options.legend ? QString()
             : place == LegendPlace::Right
                 ? QStringLiteral(", loc=\"center left\", bbox_to_anchor=(1.0, 0.5)")
                 : QStringLiteral(", loc=\"upper center\", bbox_to_anchor=(0.5, -0.2), ncols=2"));
}

}  // namespace

FigureScript figureScript(const CurveSet& set, const CurveLook& look, const CurveExport& options,
                          const QString& csvName)
{
    constexpr double kMillimetresPerInch = 25.4;
    constexpr double kShape = 0.62;
    const QRectF& range = options.range;
    const double width = options.widthMillimetres / kMillimetresPerInch;
    core::Json categories = core::Json::array();
    for (const QString& each : set.categories)
        categories.push_back(each.toStdString());
    const auto yesNo = [](bool yes) { return QString::fromLatin1(yes ? "True" : "False"); };
    const std::pair<const char*, QString> parts[] = {
        {"@CSV@", quoted(csvName)},
        {"@STYLES@", stylesOf(set, look)},
        {"@CATEGORIES@", QString::fromStdString(core::jsonText(categories))},
        {"@TYPE@", typeOf(options)},
        {"@LEGEND@", legendOf(options)},
        {"@WIDTH@", number(width)},
        {"@HEIGHT@", number(width * kShape)},
        {"@POINTS@", yesNo(!set.baselineIsLine || set.scatter || !set.categories.isEmpty())},
        {"@SIZES@", yesNo(set.scatter)},
        {"@XLABEL@", quoted(set.xLabel)},
        {"@YLABEL@", quoted(set.yLabel)},
        {"@TITLE@", quoted(options.title.simplified())},
        {"@XSCALE@", xScale(set, look)},
        {"@YSCALE@", look.logarithmicY ? QStringLiteral("axes.set_yscale(\"log\")")
                                       : QStringLiteral("axes.set_yscale(\"linear\")")},
        {"@XFROM@", number(range.left())},
        {"@XTO@", number(range.right())},
        {"@YFROM@", number(range.top())},
        {"@YTO@", number(range.bottom())}};
    QString python = QString::fromLatin1(kProgram);
    for (const auto& [mark, text] : parts)
        python.replace(QLatin1String(mark), text);
    return {csvOf(set, look), python};
}

}  // namespace qs::widgets
