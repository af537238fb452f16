#include "core/analysis/sample_figures.h"
#include "widgets/models/column_parts.h"
#include "widgets/models/metric_text.h"

#include <iterator>
#include <vector>

// How the samples of a cell lie and what the device did meanwhile. For whoever doubts a time: the
// table hides these columns until they are asked for.
namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;
using core::DeviceFigures;
using core::SampleFigures;

// No more digits than the samples support.
QString millisecondsText(Cell cell, double seconds)
{
    return significantText(seconds * 1e3, cell.distribution->significantDigits);
}

template <double SampleFigures::*Member>
QVariant sampleValue(Cell cell, Context)
{
    return cell.distribution ? QVariant((*cell.distribution).*Member) : QVariant();
}

template <double SampleFigures::*Member>
QVariant sampleMilliseconds(Cell cell, Context)
{
    return cell.distribution ? QVariant((*cell.distribution).*Member * 1e3) : QVariant();
}

template <double SampleFigures::*Member>
QString sampleMillisecondsText(Cell cell, Context)
{
    return millisecondsText(cell, (*cell.distribution).*Member);
}

template <std::optional<double> SampleFigures::*Member>
QVariant rareMilliseconds(Cell cell, Context)
{
    return cell.distribution ? optionalValue((*cell.distribution).*Member, 1e3) : QVariant();
}

template <std::optional<double> SampleFigures::*Member>
QString rareMillisecondsText(Cell cell, Context)
{
    return millisecondsText(cell, *((*cell.distribution).*Member));
}

// Of a percentile that so few samples do not bound.
template <std::size_t Samples>
QString needsSamples(Cell cell, Context)
{
    return cell.distribution ? Text::tr("needs %1 samples").arg(QLocale().toString(int{Samples}))
                             : QString();
}

QString deviationText(Cell cell, Context)
{
    return significantText(*cell.distribution->standardDeviation * 1e3, 2);
}

QVariant outlierValue(Cell cell, Context)
{
    if (!cell.distribution)
        return {};
    const core::OutlierCounts& outliers = cell.distribution->outliers;
    return QVariant(static_cast<qlonglong>(outliers.mild + outliers.severe));
}

QString outlierText(Cell cell, Context)
{
    const QLocale locale;
    const core::OutlierCounts& outliers = cell.distribution->outliers;
    return Text::tr("%1 mild, %2 severe")
        .arg(locale.toString(static_cast<qulonglong>(outliers.mild)),
             locale.toString(static_cast<qulonglong>(outliers.severe)));
}

QVariant trendValue(Cell cell, Context)
{
    return cell.distribution ? QVariant(cell.distribution->trend * 100.0) : QVariant();
}

QString trendText(Cell cell, Context)
{
    const QString text = significantText(cell.distribution->trend * 100.0, 2);
    return cell.distribution->drifting ? Text::tr("%1 drifting").arg(text) : text;
}

template <std::optional<double> DeviceFigures::*Member>
QVariant deviceValue(Cell cell, Context)
{
    return optionalValue(cell.device.*Member);
}

template <std::optional<double> DeviceFigures::*Member>
QString deviceText(Cell cell, Context)
{
    return significantText(*(cell.device.*Member), 4);
}

QVariant slowedValue(Cell cell, Context)
{
    return optionalValue(cell.device.slowedShare, 100.0);
}

QString slowedText(Cell cell, Context)
{
    return significantText(*cell.device.slowedShare * 100.0, 2);
}

QVariant discardsValue(Cell cell, Context)
{
    return cell.measured ? QVariant(static_cast<qlonglong>(cell.device.discards)) : QVariant();
}

QString energyMissing(Cell cell, Context)
{
    return cell.device.energyWindowTooShort ? Text::tr("window too short") : QString();
}

QVariant endToEndValue(Cell cell, Context)
{
    return optionalValue(cell.endToEndThroughput());
}

QString endToEndText(Cell cell, Context)
{
    return significantText(*cell.endToEndThroughput(), 4);
}

QVariant cyclesValue(Cell cell, Context)
{
    return cell.claim && cell.claim->cycles ? QVariant(cell.claim->cycles->ratio.value)
                                            : QVariant();
}

QString cyclesText(Cell cell, Context)
{
    return QStringLiteral("%1×").arg(significantText(cell.claim->cycles->ratio.value, 3));
}

QVariant energyValue(Cell cell, Context)
{
    return optionalValue(cell.joulesPerUnit());
}

QString energyText(Cell cell, Context)
{
    return significantText(*cell.joulesPerUnit(), 3);
}

}  // namespace

constexpr CellColumn kSampleColumns[] = {
    // How the samples lie.
    {"sample_mean", true, QT_TRANSLATE_NOOP("CellColumns", "Mean"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "Mean of all samples of all repeats."),
     sampleMilliseconds<&SampleFigures::mean>, sampleMillisecondsText<&SampleFigures::mean>,
     nullptr},
    {"sample_deviation", true, QT_TRANSLATE_NOOP("CellColumns", "SD"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "Standard deviation of all samples."),
     rareMilliseconds<&SampleFigures::standardDeviation>, deviationText, nullptr},
    {"sample_minimum", true, QT_TRANSLATE_NOOP("CellColumns", "Min"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "The shortest sample of all repeats."),
     sampleMilliseconds<&SampleFigures::minimum>, sampleMillisecondsText<&SampleFigures::minimum>,
     nullptr},
    {"sample_p90", true, QT_TRANSLATE_NOOP("CellColumns", "p90"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns",
                       "Nine of ten samples are shorter. Below 64 samples it would be the "
                       "longest one under another name."),
     rareMilliseconds<&SampleFigures::p90>, rareMillisecondsText<&SampleFigures::p90>, nullptr,
     needsSamples<core::kSamplesForP90>},
    {"sample_p95", true, QT_TRANSLATE_NOOP("CellColumns", "p95"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "95 % of the samples are shorter; needs 130 samples."),
     rareMilliseconds<&SampleFigures::p95>, rareMillisecondsText<&SampleFigures::p95>, nullptr,
     needsSamples<core::kSamplesForP95>},
    {"sample_p99", true, QT_TRANSLATE_NOOP("CellColumns", "p99"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "99 % of the samples are shorter; needs 662 samples."),
     rareMilliseconds<&SampleFigures::p99>, rareMillisecondsText<&SampleFigures::p99>, nullptr,
     needsSamples<core::kSamplesForP99>},
    {"outliers", true, QT_TRANSLATE_NOOP("CellColumns", "Outliers"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Samples beyond 1.5 (mild) and 3 (severe) interquartile ranges of their "
                       "repeat (Tukey). They are counted and never dropped."),
     outlierValue, outlierText, nullptr},
    {"autocorrelation", true, QT_TRANSLATE_NOOP("CellColumns", "Lag-1"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "How alike neighbouring samples are: 0 not at all, 1 equal. Above 0.3 "
                       "they count for fewer."),
     sampleValue<&SampleFigures::autocorrelation>,
     [](Cell cell, Context) { return significantText(cell.distribution->autocorrelation, 2); },
     nullptr},
    {"effective_samples", true, QT_TRANSLATE_NOOP("CellColumns", "Effective n"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "How many independent samples they are worth, after autocorrelation."),
     sampleValue<&SampleFigures::effectiveCount>,
     [](Cell cell, Context) { return significantText(cell.distribution->effectiveCount, 3); },
     nullptr},
    {"trend", true, QT_TRANSLATE_NOOP("CellColumns", "Trend"), "%",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Change from the first sample of a repeat to the last, the largest of "
                       "the repeats (Theil and Sen). Above 1 % the cell is drifting."),
     trendValue, trendText, nullptr},
    // What the device did meanwhile.
    {"sm_clock", true, QT_TRANSLATE_NOOP("CellColumns", "SM clock"), "MHz",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Clock of the multiprocessors, the mean over the samples. It is read 20 "
                       "times a second and interpolated at the middle of each sample."),
     deviceValue<&DeviceFigures::clockMegahertz>, deviceText<&DeviceFigures::clockMegahertz>,
     nullptr},
    {"speedup_cycles", true, QT_TRANSLATE_NOOP("CellColumns", "Speed-up in cycles"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "The speed-up in cycles of the multiprocessors instead of seconds. "
                       "Faster and slower have to hold in both: a lucky clock is no speed-up."),
     cyclesValue, cyclesText, nullptr},
    {"slowed", true, QT_TRANSLATE_NOOP("CellColumns", "Slowed down"), "%",
     QT_TRANSLATE_NOOP("CellColumns",
                       "How much of the time the driver held the clock back, for power or "
                       "heat."),
     slowedValue, slowedText, nullptr},
    {"temperature", true, QT_TRANSLATE_NOOP("CellColumns", "Hottest"), "°C",
     QT_TRANSLATE_NOOP("CellColumns", "Highest temperature of the device while it was timed."),
     deviceValue<&DeviceFigures::maximumCelsius>, deviceText<&DeviceFigures::maximumCelsius>,
     nullptr},
    {"discards", true, QT_TRANSLATE_NOOP("CellColumns", "Discarded"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Samples that do not count, each for a cause that was recorded. They "
                       "stay in the file."),
     discardsValue, asText<discardsValue>, nullptr},
    {"energy", true, QT_TRANSLATE_NOOP("CellColumns", "Energy"),
     +[](Context context) { return Text::tr("J/%1", "energy").arg(unitText(context.unit)); },
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Energy per image, token or sample by the device's counter, what it takes when idle "
         "included. Over the passes that ran for it alone where the sweep asks for "
         "energy, else over the samples; two seconds at least."),
     energyValue, energyText, nullptr, energyMissing},
    {"end_to_end", true, QT_TRANSLATE_NOOP("CellColumns", "End to end"),
     +[](Context context) { return unitsPerSecond(context.unit); },
     QT_TRANSLATE_NOOP("CellColumns", "Throughput with the way of the inputs to the device; empty "
                                      "where they stay there."),
     endToEndValue, endToEndText, nullptr},
};

std::span<const CellColumn> sampleColumns()
{
    static const std::vector<CellColumn> kHidden = [] {
        std::vector<CellColumn> columns(std::begin(kSampleColumns), std::end(kSampleColumns));
        for (CellColumn& column : columns)
            column.use = ColumnUse::OnRequest;
        return columns;
    }();
    return kHidden;
}

}  // namespace qs::widgets
