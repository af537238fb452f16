#include "widgets/plot/curve_overlay.h"

#include "core/report/words/comparison_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>

#include <utility>

namespace qs::widgets {

namespace {

struct CurveOverlayWords {
    Q_DECLARE_TR_FUNCTIONS(CurveOverlay)
};

constexpr QLatin1Char kSeparator('\n');  // in no id and in no name of an axis

// Where the texts of an axis stand in the set, which gets those that it lacks.
std::vector<double> placesIn(CurveSet& set, const CurveSet& other)
{
    std::vector<double> places;
    for (const QString& category : other.categories) {
        if (!set.categories.contains(category))
            set.categories << category;
        places.push_back(static_cast<double>(set.categories.indexOf(category)));
    }
    return places;
}

QString baselineOf(const OtherRun& run)
{
    return QString::fromStdString(run.data.plan.preset.speedBaseline);
}

LaidRun laidRun(const RunBeside& beside, std::vector<QPointF> frontier)
{
    return {.name = shortRunName(beside.run->name),
            .changed = QString::fromStdString(core::changeText(beside.comparison)),
            .frontier = std::move(frontier)};
}

// In one line; empty where nothing is known to differ.
QString differenceOf(const RunBeside& beside)
{
    const QString change = QString::fromStdString(core::changeSummary(beside.comparison));
    return change.isEmpty() ? QString()
                            : CurveOverlayWords::tr("%1: %2.", "run, what changed")
                                  .arg(shortRunName(beside.run->name), change);
}

// Why the curves of a run cannot stand beside the others; empty if they can.
QString whyApart(const CurveSet& set, const CurveSet& other, const QString& run)
{
    if (set.yUnit == other.yUnit)
        return {};
    return CurveOverlayWords::tr("Not drawn: %1, in %2 instead of %3.", "run, units")
        .arg(run, other.yUnit, set.yUnit);
}

void addNote(CurveSet& set, const QString& note)
{
    if (!note.isEmpty())
        set.note += (set.note.isEmpty() ? QString() : QStringLiteral(" ")) + note;
}

}  // namespace

QString overlaidId(const OverlaidCell& cell)
{
    return QString::number(cell.run) + kSeparator + cell.cellId;
}

std::optional<OverlaidCell> overlaidCell(const QString& pointId)
{
    const qsizetype at = pointId.indexOf(kSeparator);
    if (at < 0)
        return std::nullopt;
    return OverlaidCell{.run = static_cast<std::size_t>(pointId.left(at).toUInt()),
                        .cellId = pointId.mid(at + 1)};
}

void layOver(CurveSet& set, const OtherRuns::Beside& beside)
{
    const core::Metric& metric = *set.metric;
    layOver(set, beside, [&](const OtherRun& run, const QString& baseline) {
        return makeCurves(run.analysis, baseline, metric, set.axis);
    });
}

void layOver(CurveSet& set, const OtherRuns::Beside& beside, const CurvesOfRun& make)
{
    std::size_t undrawn = 0;
    for (std::size_t run = 0; run < beside.size(); ++run) {
        const OtherRun& laid = *beside[run]->run;
        CurveSet other = make(laid, baselineOf(laid));
        if (const QString why = whyApart(set, other, shortRunName(laid.name)); !why.isEmpty()) {
            addNote(set, why);
            continue;
        }
        const std::vector<double> places = placesIn(set, other);
        const auto moved = [&](double x) {
            return places.empty() ? x : places[static_cast<std::size_t>(x)];
        };
        for (const double x : other.planned)
            set.planned.push_back(moved(x));
        set.otherRuns.push_back(laidRun(*beside[run], std::move(other.frontier)));
        addNote(set, differenceOf(*beside[run]));
        // Curves say what they lack by where they end, a scatter does not.
        if (set.scatter && !other.note.isEmpty())
            addNote(set, QStringLiteral("%1: %2").arg(shortRunName(laid.name), other.note));
        for (Curve& curve : other.curves) {
            if (curve.empty())
                continue;
            if (set.curves.size() >= kMostCurves) {
                ++undrawn;
                continue;
            }
            curve.run = static_cast<int>(set.otherRuns.size());
            curve.key = QStringLiteral("run %1\n%2").arg(curve.run).arg(curve.key);
            curve.name = QStringLiteral("%1 · %2").arg(curve.name, laid.name);
            for (CurvePoint& point : curve.points) {
                point.cellId = overlaidId({run, point.cellId});
                point.x = moved(point.x);
            }
            for (CurveEnd& end : curve.ends) {
                end.cellId = overlaidId({run, end.cellId});
                end.x = moved(end.x);
                end.toolTip = QStringLiteral("%1\n%2").arg(laid.name, end.toolTip);
            }
            set.curves.push_back(std::move(curve));
        }
    }
    if (undrawn > 0)
        addNote(set, countedText(static_cast<qsizetype>(undrawn),
                                 CurveOverlayWords::tr("1 curve of other runs is not drawn."),
                                 CurveOverlayWords::tr("%1 curves of other runs are not drawn.")));
}

QString overlaidToolTip(const OtherRuns::Beside& beside, const OverlaidCell& cell,
                        const core::Metric& metric)
{
    if (cell.run >= beside.size())
        return {};
    const OtherRun& run = *beside[cell.run]->run;
    const core::CellSummary* summary = run.analysis.find(cell.cellId.toStdString());
    if (summary == nullptr)
        return {};
    QString text = QStringLiteral("%1\n%2").arg(
        run.name, pointToolTip(run.analysis, baselineOf(run), metric, *summary));
    const core::MatchedCell* matched = beside[cell.run]->findOther(cell.cellId.toStdString());
    if (matched == nullptr)
        return text + QLatin1Char('\n') +
               CurveOverlayWords::tr("The run in view does not have this cell.");
    if (matched->speed)
        text +=
            QLatin1Char('\n') + CurveOverlayWords::tr("%1 times as fast as in the run in view: %2")
                                    .arg(significantText(matched->speed->evidence.ratio.value, 4),
                                         QString::fromStdString(core::speedChangeText(*matched)));
    if (const std::string change = core::changeText(beside[cell.run]->comparison); !change.empty())
        text += QLatin1Char('\n') +
                CurveOverlayWords::tr("Changed: %1.").arg(QString::fromStdString(change));
    return text;
}

QString notInViewText(const OtherRuns::Beside& beside, const QString& pointId)
{
    const auto cell = overlaidCell(pointId);
    return cell && cell->run < beside.size()
               ? CurveOverlayWords::tr("The run in view does not have this cell of %1.")
                     .arg(beside[cell->run]->run->name)
               : QString();
}

}  // namespace qs::widgets
