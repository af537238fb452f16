#pragma once

#include "core/analysis/analysis.h"
#include "widgets/plot/curve_metric.h"

#include <QList>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace qs::widgets {

struct CurvePoint {
    QString cellId;
    double x = 0.0;  // the number of the axis, or the place of its text among CurveSet::categories
    double y = 0.0;
    std::optional<core::Interval> interval;  // of y, 95 %
    bool settled = false;                    // drawn filled
    double size = 1.0;                       // of its mark, relative to the usual
};

// Where memory ended: the smallest value of a number axis that did not fit, or each text that did
// not.
struct CurveEnd {
    QString cellId;
    double x = 0.0;
    double y = 0.0;  // of the last point before it; it has no value of its own
    QString toolTip;
};

// All cells that differ in the horizontal axis alone; along models, also in what each of them has
// of its own (see sizesOfModels()).
struct Curve {
    QString key;        // the same as long as the configuration is
    QString name;       // what tells it from the other curves
    QString precision;  // text of the cell; decides the colour
    QString compile;    // text of the cell; decides the line
    int run = 0;        // 0 is the run in view, others are laid over it; decides the marker, too
    QString rest;       // what else differs in this run: "512 px"
    int variant = 0;    // which of the rests, in order of the plan; decides the marker
    std::vector<CurvePoint> points;  // ascending x
    std::vector<CurveEnd> ends;

    [[nodiscard]] bool empty() const { return points.empty() && ends.empty(); }
};

// What the device cannot pass.
struct CurveRoof {
    QString name;                 // "roof of bf16: 989.4 TFLOP/s"
    QString precision;            // if it is of one alone; decides the colour
    std::vector<QPointF> points;  // ascending x
};

// A limit on the horizontal axis, or on the vertical one.
struct CurveRule {
    QString name;
    double at = 0.0;
    bool wanted = false;  // asked for by the user, not found in the run
    bool level = false;   // on the vertical axis
};

// A run that is laid over the one in view.
struct LaidRun {
    QString name;     // short
    QString changed;  // what changed between the runs; empty for nothing that is known
    std::vector<QPointF> frontier = {};  // of a scatter
};

struct CurveSet {
    const core::Metric* metric = nullptr;  // of the registry; never null in a set that was made
    QString axis;                          // "batch"
    QStringList categories;                // empty for an axis of numbers
    std::vector<double> planned;           // places of all cells of the plan, measured or not
    QString xLabel;
    QString yLabel;
    QString yUnit;              // curves of another one cannot be laid over these
    std::vector<Curve> curves;  // in order of the plan, also those without any point yet
    QList<LaidRun> otherRuns;
    QString baselineName;
    std::vector<QPointF> baseline;  // where baselines stand, ascending x
    bool baselineIsLine = true;     // one at each place, so that a line can go through them
    bool scatter = false;           // points of two metrics: x is a number of the cell
    std::vector<QPointF> frontier;  // of a scatter, from the best quality on
    std::vector<CurveRule> rules;
    MetricLimits xLimits;
    MetricLimits yLimits;
    int hostBound = 0;             // cells whose GPU waits for launches; 0 for a metric of quality
    std::vector<CurveRoof> roofs;  // empty where the peak of the device is not known
    QString note;                  // what is not drawn, and why; usually empty

    [[nodiscard]] bool empty() const;
    // Curves are lines, so that precision (colour), compile mode (line) and the rest (mark) can
    // each be read off them. Points alone have one mark for the last two.
    [[nodiscard]] bool hasLines() const;
};

// No eye tells more apart, and each costs time to draw.
inline constexpr std::size_t kMostCurves = 200;

// The first kMostCurves of the shown cells (see core::shownCells()) in order of the plan.
// `baseline` as RunStore knows it.
[[nodiscard]] CurveSet makeCurves(const core::Analysis& analysis, const QString& baseline,
                                  const core::Metric& metric, const QString& axis);

// What is said of a cell under the pointer; empty if it has no such number. Ten thousand of them
// would take the window a tenth of a second.
[[nodiscard]] QString pointToolTip(const core::Analysis& analysis, const QString& baseline,
                                   const core::Metric& metric, const core::CellSummary& cell);

}  // namespace qs::widgets
