#include "core/analysis/time_notes.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/verdict_text.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/verdict_tone.h"
#include "widgets/plot/curve_series.h"

#include <QCoreApplication>

namespace qs::widgets {

namespace {

struct CurveToolTipWords {
    Q_DECLARE_TR_FUNCTIONS(CurveSeries)
};

QString ratioLine(const core::CellSummary& cell, const QString& baselineWords)
{
    const QString ratio = CurveToolTipWords::tr("%1× the speed of %2")
                              .arg(significantText(*cell.speedup, 3), baselineWords);
    const auto& interval = cell.speedupInterval;
    return interval ? QStringLiteral("%1 [%2, %3]")
                          .arg(ratio, significantText(interval->lower, 3),
                               significantText(interval->upper, 3))
                    : ratio;
}

}  // namespace

QString pointToolTip(const core::Analysis& analysis, const QString& baseline,
                     const core::Metric& metric, const core::CellSummary& cell)
{
    const MetricReader reader(metric, analysis);
    const auto value = reader.value(cell);
    if (!value || cell.cell == nullptr)
        return {};
    const QString unit = metricUnit(metric, workUnitOf(analysis));
    const auto number = [&](double each) {
        const QString text = significantText(each, 6);
        return unit.isEmpty() ? text : QStringLiteral("%1 %2").arg(text, unit);
    };
    QStringList lines{cellTitle(*cell.cell)};
    lines << QStringLiteral("%1: %2").arg(reader.label().section(QStringLiteral(" ("), 0, 0),
                                          number(*value));
    if (const auto interval = reader.interval(cell))
        lines << CurveToolTipWords::tr("95 % interval: %1 to %2")
                     .arg(number(interval->lower), number(interval->upper));
    if (cell.speedup && cell.baselineId != cell.cellId && !isQuality(metric))
        lines << ratioLine(cell, baselineText(analysis, baseline));
    if (const QString verdict = speedVerdictText(cell); !verdict.isEmpty() && !isQuality(metric))
        lines << (cell.claim->verdict == core::Verdict::TooFewRounds
                      ? CurveToolTipWords::tr("No verdict with fewer than three repeats: %1")
                            .arg(verdict)
                      : CurveToolTipWords::tr("Verdict: %1").arg(verdict));
    if (cell.claim && cell.claim->outlook && !isQuality(metric))
        lines << CurveToolTipWords::tr("Open: %1", "leans slower; 2 more repeats would decide")
                     .arg(QString::fromStdString(core::outlookText(*cell.claim)));
    lines << CurveToolTipWords::tr("%1 of %2 repeats, %3 samples")
                 .arg(cell.roundsOk)
                 .arg(cell.roundsPlanned)
                 .arg(static_cast<qulonglong>(cell.samples));
    if (!reader.settled(cell))
        lines << CurveToolTipWords::tr("Hollow: fewer than three repeats, no interval yet");
    if (core::isHostBound(cell) && !isQuality(metric))
        lines << CurveToolTipWords::tr(
            "Host-bound: the GPU waits for launches; differences may be theirs");
    if (!cell.executed.empty())
        lines << CurveToolTipWords::tr("Executed: %1")
                     .arg(QString::fromStdString(core::executedText(cell.executed)));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace qs::widgets
