#include "widgets/plot/legend_entries.h"

#include "widgets/models/cell_text.h"
#include "widgets/models/short_names.h"
#include "widgets/plot/curve_style.h"
#include "widgets/plot/curve_walk.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QHash>

#include <algorithm>
#include <iterator>
#include <utility>

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

QString restKey(const QString& rest)
{
    return QStringLiteral("rest:") + rest;
}

QString runKey(int run)
{
    return QStringLiteral("run:") + QString::number(run);
}

// One for each run; none of the run in view where it is alone.
std::vector<LegendEntry> runEntries(const CurveSet& set)
{
    std::vector<LegendEntry> entries;
    for (int run = 0; run <= set.otherRuns.size() && !set.otherRuns.isEmpty(); ++run) {
        const auto first =
            std::find_if(set.curves.begin(), set.curves.end(),
                         [&](const auto& curve) { return curve.run == run && !curve.empty(); });
        if (first == set.curves.end())
            continue;
        const LaidRun laid =
            run == 0 ? LaidRun{.name = QCoreApplication::translate("CurveLegend", "this run"),
                               .changed = {}}
                     : set.otherRuns[run - 1];
        entries.push_back({LegendPart::Run, runKey(run), laid.name,
                           static_cast<std::size_t>(first - set.curves.begin()), laid.changed});
    }
    return entries;
}

// Where colour, line and mark of a curve do not name it, none.
std::vector<LegendEntry> factors(const CurveSet& set)
{
    std::vector<LegendEntry> precisions;
    std::vector<LegendEntry> modes;
    std::vector<LegendEntry> rests;
    std::vector<LegendEntry> own;  // of curves that look otherwise than their parts say
    QHash<QRgb, QString> colours;  // precisions that have them
    const auto add = [](std::vector<LegendEntry>& to, const LegendEntry& entry) {
        if (std::none_of(to.begin(), to.end(),
                         [&](const LegendEntry& each) { return each.key == entry.key; }))
            to.push_back(entry);
    };
    const int marks = set.hasLines() ? kMarks : 1;
    const std::vector<CurveStyle> styles = curveStyles(set, PlotTheme());
    for (std::size_t i = 0; i < set.curves.size(); ++i) {
        const Curve& curve = set.curves[i];
        if (curve.empty())
            continue;
        if (curve.precision.isEmpty() || curve.compile.isEmpty() || curve.variant >= marks)
            return {};
        const QString ofColour = colours.value(styles[i].color.rgb(), curve.precision);
        if (styles[i].told != CurveTold::ByParts || ofColour != curve.precision) {
            if (curve.run == 0)
                own.push_back({LegendPart::Curve, curve.key, curve.name, i});
            continue;
        }
        colours.insert(styles[i].color.rgb(), curve.precision);
        add(precisions, {LegendPart::Precision, precisionKey(curve.precision), curve.precision, i});
        add(modes, {LegendPart::Compile, compileKey(curve.compile),
                    compileText(curve.compile.toStdString()), i});
        add(rests, {LegendPart::Rest, restKey(curve.rest), curve.rest, i});
    }
    addShortNames(precisions);
    addShortNames(own);
    precisions.insert(precisions.end(), modes.begin(), modes.end());
    // Of curves that nothing else is said of, the mark says nothing either.
    if (rests.size() > 1)
        std::copy_if(rests.begin(), rests.end(), std::back_inserter(precisions),
                     [](const LegendEntry& entry) { return !entry.name.isEmpty(); });
    precisions.insert(precisions.end(), own.begin(), own.end());
    return precisions;
}

}  // namespace

std::vector<LegendEntry> legendEntries(const CurveSet& set)
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < set.curves.size(); ++i) {
        if (!set.curves[i].empty() && set.curves[i].run == 0)
            entries.push_back({LegendPart::Curve, set.curves[i].key, set.curves[i].name, i});
    }
    addShortNames(entries);
    std::vector<LegendEntry> factored = factors(set);
    // With the curves of other runs each of these stands for several.
    const bool fewer =
        !factored.empty() && (factored.size() < entries.size() || !set.otherRuns.isEmpty());
    if (fewer)
        entries = std::move(factored);
    const std::vector<LegendEntry> runs = runEntries(set);
    entries.insert(entries.end(), runs.begin(), runs.end());
    return entries;
}

QString nameIn(const CurveLook& look, const LegendEntry& entry)
{
    if (look.shortLegend && !entry.shortName.isEmpty())
        return fittedName(look, entry.shortName);
    const QString prefix = QStringLiteral("inductor-");
    // "default" alone would be a riddle.
    const bool cut = look.shortLegend && entry.part == LegendPart::Compile &&
                     entry.name.startsWith(prefix) &&
                     !entry.name.startsWith(prefix + QStringLiteral("default"));
    return fittedName(look, cut ? entry.name.mid(prefix.size()) : entry.name);
}

QString fittedName(const CurveLook& look, const QString& name)
{
    return look.longestName == 0
               ? name
               : QFontMetrics(look.theme.font).elidedText(name, Qt::ElideMiddle, look.longestName);
}

int curvesToName(const CurveSet& set)
{
    const std::vector<LegendEntry> entries = legendEntries(set);
    return static_cast<int>(
        std::count_if(entries.begin(), entries.end(),
                      [](const LegendEntry& entry) { return entry.part == LegendPart::Curve; }));
}

bool isOf(const Curve& curve, const QString& key)
{
    return !key.isEmpty() && (curve.key == key || precisionKey(curve.precision) == key ||
                              compileKey(curve.compile) == key || restKey(curve.rest) == key ||
                              runKey(curve.run) == key);
}

bool isHidden(const CurveSet& set, const CurveLook& look, const QString& key)
{
    return std::all_of(set.curves.begin(), set.curves.end(), [&](const Curve& curve) {
        return curve.empty() || !isOf(curve, key) || look.hidden.contains(curve.key);
    });
}

bool isRunHidden(const CurveSet& set, const CurveLook& look, int run)
{
    return isHidden(set, look, runKey(run));
}

int curvesNotTold(const CurveSet& set)
{
    const std::vector<CurveStyle> styles = curveStyles(set, PlotTheme());
    int count = 0;
    for (std::size_t i = 0; i < styles.size(); ++i)
        count += !set.curves[i].empty() && styles[i].told == CurveTold::NotAtAll ? 1 : 0;
    return count;
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
