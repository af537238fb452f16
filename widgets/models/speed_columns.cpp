#include "core/report/words/verdict_text.h"
#include "core/stats/summary.h"
#include "widgets/models/column_parts.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/verdict_tone.h"

#include <algorithm>

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

QString intervalText(const core::Interval& interval, int digits)
{
    return QStringLiteral("[%1, %2]")
        .arg(significantText(interval.lower, digits), significantText(interval.upper, digits));
}

QString roundsSentence(Cell cell)
{
    if (cell.roundsOk < 3)
        return Text::tr("Repeats so far: %1; an interval needs three.").arg(cell.roundsOk);
    return Text::tr("Over %1 repeats.").arg(cell.roundsOk);
}

// Without an interval over repeats the samples say how many digits mean something.
int sampleDigits(Cell cell)
{
    return cell.distribution ? cell.distribution->significantDigits : 4;
}

TimeUnit timeUnit(Context context)
{
    return passTimeUnit(context.quantizes);
}

QString timeUnitText(Context context)
{
    return timeUnit(context).name;
}

QVariant timeValue(Cell cell, Context context)
{
    return measuredOnly(cell, cell.seconds * timeUnit(context).perSecond);
}

core::Interval timeInterval(const core::Interval& seconds, Context context)
{
    const double factor = timeUnit(context).perSecond;
    return {.lower = seconds.lower * factor, .upper = seconds.upper * factor};
}

// The interval decides the places if there is one.
QString timeText(Cell cell, Context context)
{
    const double time = cell.seconds * timeUnit(context).perSecond;
    return cell.secondsInterval ? estimateText(time, timeInterval(*cell.secondsInterval, context))
                                : significantText(time, sampleDigits(cell));
}

QString timeDetail(Cell cell, Context context)
{
    const TimeUnit unit = timeUnit(context);
    QString text = Text::tr("%1 %2 per pass, the geometric mean of the repeats' medians.")
                       .arg(significantText(cell.seconds * unit.perSecond, 7), unit.name);
    if (cell.secondsInterval)
        text += QLatin1Char(' ') +
                Text::tr("95 % interval %1 %2.")
                    .arg(intervalText(timeInterval(*cell.secondsInterval, context), 7), unit.name);
    return text + QLatin1Char(' ') + roundsSentence(cell);
}

QString throughputText(Cell cell, Context)
{
    const auto interval = cell.throughputInterval();
    return interval ? estimateText(cell.throughput, *interval)
                    : significantText(cell.throughput, sampleDigits(cell));
}

QString throughputDetail(Cell cell, Context context)
{
    const QString unit = unitsPerSecond(context.unit);
    QString text = QStringLiteral("%1 %2.").arg(significantText(cell.throughput, 7), unit);
    if (const auto interval = cell.throughputInterval())
        text += QLatin1Char(' ') +
                Text::tr("95 % interval %1 %2.").arg(intervalText(*interval, 7), unit);
    return text + QLatin1Char(' ') + roundsSentence(cell);
}

template <std::size_t Stage>
QVariant stageMilliseconds(Cell cell, Context context)
{
    const auto place = stageOf(cell, context, Stage);
    return place && *place < cell.stageSeconds.size() ? QVariant(cell.stageSeconds[*place] * 1e3)
                                                      : QVariant();
}

template <std::size_t Stage>
QString stageTitle(Context context)
{
    return stageName(context, Stage);
}

template <std::size_t Stage>
QString stageText(Cell cell, Context context)
{
    return significantText(stageMilliseconds<Stage>(cell, context).toDouble(), 4);
}

QString speedupText(Cell cell, Context)
{
    if (cell.cellId == cell.baselineId)
        return Text::tr("1× (baseline)");
    if (!cell.speedupInterval)
        return QStringLiteral("%1×").arg(significantText(*cell.speedup, 3));
    const int digits = std::min(3, core::supportedDigits(*cell.speedup, *cell.speedupInterval));
    return QStringLiteral("%1× %2").arg(significantText(*cell.speedup, digits),
                                        intervalText(*cell.speedupInterval, digits));
}

// "undecided: leans slower; 2 more repeats would decide"
QString openVerdictText(const core::SpeedClaim& claim)
{
    return QStringLiteral("%1: %2").arg(widgets::verdictText(claim),
                                        QString::fromStdString(core::outlookText(claim)));
}

QString speedupDetail(Cell cell, Context context)
{
    const core::CellSummary* baseline = context.analysis->find(cell.baselineId);
    const QString name = baseline != nullptr && baseline->cell != nullptr
                             ? cellTitle(*baseline->cell)
                             : QString::fromStdString(cell.baselineId);
    if (cell.cellId == cell.baselineId)
        return Text::tr("This cell is the baseline of its batch and size.");
    QString text = Text::tr("%1 times as fast as %2.").arg(significantText(*cell.speedup, 5), name);
    if (!cell.speedupInterval)
        return text + QLatin1Char(' ') +
               Text::tr("Without three repeats of both there is no interval, and no verdict.");
    text += QLatin1Char(' ') +
            Text::tr("95 % interval %1.").arg(intervalText(*cell.speedupInterval, 5));
    if (cell.claim && cell.claim->cycles)
        text += QLatin1Char(' ') + Text::tr("In cycles of the multiprocessors: %1.")
                                       .arg(significantText(cell.claim->cycles->ratio.value, 5));
    if (cell.claim && cell.claim->outlook)
        text += QLatin1Char(' ') + Text::tr("Verdict %1.").arg(openVerdictText(*cell.claim));
    return text;
}

QVariant verdictValue(Cell cell, Context)
{
    const QString word = speedVerdictText(cell);
    return word.isEmpty() ? QVariant() : QVariant(word);
}

QString verdictDetail(Cell cell, Context)
{
    const core::SpeedClaim& claim = *cell.claim;
    if (claim.verdict == core::Verdict::TooFewRounds)
        return Text::tr("Repeats so far: %1. Nothing is claimed before three of them.")
            .arg(cell.roundsOk);
    const std::string outlook = core::outlookText(claim);
    QString text;
    switch (claim.verdict) {
    case core::Verdict::Faster:
        text = Text::tr("Faster than the baseline by more than 0.5 %.");
        break;
    case core::Verdict::Slower:
        text = Text::tr("Slower than the baseline by more than 0.5 %.");
        break;
    case core::Verdict::Same:
        text = Text::tr("As fast as the baseline: the 95 % interval lies within 1 %.");
        break;
    case core::Verdict::TooFewRounds:  // above
    case core::Verdict::Ambiguous:
        text = Text::tr(
            "Undecided: more repeats may decide. \"Repeat unclear\" in the menu Run adds them.");
        if (!outlook.empty())
            text = Text::tr("Undecided: %1. \"Repeat unclear\" in the menu Run adds them.",
                            "leans slower; 2 more repeats would decide")
                       .arg(QString::fromStdString(outlook));
        break;
    }
    if (claim.verdict == core::Verdict::Faster || claim.verdict == core::Verdict::Slower)
        text +=
            QLatin1Char(' ') +
            Text::tr("p-value %1 %, Holm-corrected over all comparisons of the run: how often a "
                     "difference this large would occur if the speeds were equal.")
                .arg(significantText(claim.pValue * 100.0, 2));
    if (!claim.evidence.paired)
        text += QLatin1Char(' ') +
                Text::tr("Repeats are not paired with those of the baseline: drift does not "
                         "cancel, so faster and slower need 5 % more and \"same\" is never "
                         "claimed.");
    if (claim.look > 0)
        text += QLatin1Char(' ') +
                Text::tr("Interim analysis %1: repeats were added because the result was "
                         "undecided.")
                    .arg(QLocale().toString(claim.look + 1));
    if (claim.provisional)
        text += QLatin1Char(' ') + Text::tr("More repeats are planned.");
    return text;
}

QString roundsText(Cell cell, Context)
{
    const QLocale locale;
    return Text::tr("%1 of %2")
        .arg(locale.toString(cell.roundsOk), locale.toString(cell.roundsPlanned));
}

QVariant samplesValue(Cell cell, Context)
{
    return cell.measured ? QVariant(static_cast<qlonglong>(cell.samples)) : QVariant();
}

QVariant variationValue(Cell cell, Context)
{
    return optionalValue(cell.withinRoundVariation, 100.0);
}

QString costTitle(Context context)
{
    return context.price.empty() ? Text::tr("Cost per million")
                                 : Text::tr("Cost per million (%1)")
                                       .arg(QString::fromStdString(context.price.currency));
}

QVariant costValue(Cell cell, Context)
{
    return cell.cost ? optionalValue(cell.cost->perMillionUnits) : QVariant();
}

QString costDetail(Cell cell, Context context)
{
    if (!cell.cost || context.price.empty())
        return {};
    return Text::tr("The rows of this cell cost %1 %2, at %3 %2 an hour of the device.")
        .arg(significantText(cell.cost->run, 4), QString::fromStdString(context.price.currency),
             QLocale().toString(context.price.perDeviceHour));
}

}  // namespace

constexpr CellColumn kSpeedColumns[] = {
    {"throughput", true, QT_TRANSLATE_NOOP("CellColumns", "Throughput"),
     +[](Context context) { return unitsPerSecond(context.unit); },
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Images, tokens or samples per second: those of a pass divided by its time."),
     [](Cell cell, Context) { return measuredOnly(cell, cell.throughput); }, throughputText,
     throughputDetail},
    {"latency", true, QT_TRANSLATE_NOOP("CellColumns", "Time"), timeUnitText,
     QT_TRANSLATE_NOOP("CellColumns", "One pass through all stages with the whole batch."),
     timeValue, timeText, timeDetail},
    {"first_stage", true, stageTitle<0>, kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "Share of the first stage in the time of a pass."),
     stageMilliseconds<0>, stageText<0>, nullptr, nullptr, ColumnUse::WithValues},
    {"second_stage", true, stageTitle<1>, kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns",
                       "Share of the second stage, including the casts at its input."),
     stageMilliseconds<1>, stageText<1>, nullptr, nullptr, ColumnUse::WithValues},
    {"speedup", true,
     +[](Context context) { return Text::tr("Speed-up vs %1").arg(context.baseline); }, "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Time of the baseline divided by the time of the cell; above 1 is faster. "
                       "The geometric mean over repeats of the same round, so that drift cancels; "
                       "therefore not exactly the quotient of the throughputs shown."),
     [](Cell cell, Context) { return optionalValue(cell.speedup); }, speedupText, speedupDetail},
    {"verdict", false, QT_TRANSLATE_NOOP("CellColumns", "Verdict"), "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Claim that the repeats support. Faster and slower need a difference beyond 0.5 % that is "
         "significant over all comparisons of the run; no verdict with fewer than three repeats."),
     verdictValue, asText<verdictValue>, verdictDetail},
    {"rounds", true, QT_TRANSLATE_NOOP("CellColumns", "Repeats"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Successful repeats of those planned."),
     [](Cell cell, Context) { return QVariant(cell.roundsOk); }, roundsText, nullptr},
    {"samples", true, QT_TRANSLATE_NOOP("CellColumns", "Samples"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Timed passes of all repeats."), samplesValue,
     asText<samplesValue>, nullptr},
    {"cv", true, QT_TRANSLATE_NOOP("CellColumns", "CV"), "%",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Standard deviation divided by mean of the samples of a repeat; median over repeats."),
     variationValue,
     [](Cell cell, Context) { return significantText(*cell.withinRoundVariation * 100.0, 2); },
     nullptr},
    {"million_cost", true, costTitle, "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Cost of a million images, tokens or samples at the measured throughput (end to end where "
         "inputs are on the host) and the device price. Without loading and compiling."),
     costValue, [](Cell cell, Context) { return significantText(*cell.cost->perMillionUnits, 4); },
     costDetail, nullptr, ColumnUse::WithValues},
};

std::span<const CellColumn> speedColumns()
{
    return kSpeedColumns;
}

}  // namespace qs::widgets
