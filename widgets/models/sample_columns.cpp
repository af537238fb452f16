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
QVariant deviceTimeValue(Cell cell, Context)
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

QVariant copyValue(Cell cell, Context)
{
    return optionalValue(cell.device.copySeconds, 1e3);
}

QString copyText(Cell cell, Context)
{
    return significantText(*cell.device.copySeconds * 1e3, 4);
}

QString copyMissing(Cell cell, Context)
{
    const bool stays = cell.measured && cell.cell->config.inputs == core::CellConfig().inputs;
    return stays ? Text::tr("on the device") : QString();
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
     QT_TRANSLATE_NOOP("CellColumns", "Mean of all samples."),
     sampleMilliseconds<&SampleFigures::mean>, sampleMillisecondsText<&SampleFigures::mean>,
     nullptr},
    {"sample_deviation", true, QT_TRANSLATE_NOOP("CellColumns", "SD"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "Standard deviation of all samples."),
     rareMilliseconds<&SampleFigures::standardDeviation>, deviationText, nullptr},
    {"sample_minimum", true, QT_TRANSLATE_NOOP("CellColumns", "Min"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns", "Fastest sample."),
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
     QT_TRANSLATE_NOOP("CellColumns", "Samples beyond 1.5 (mild) and 3 (severe) interquartile "
                                      "ranges (Tukey). Counted, never dropped."),
     outlierValue, outlierText, nullptr},
    {"autocorrelation", true, QT_TRANSLATE_NOOP("CellColumns", "Lag-1"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Correlation of consecutive samples: 0 none, 1 identical. "
                                      "Above 0.3 the effective n is reduced."),
     sampleValue<&SampleFigures::autocorrelation>,
     [](Cell cell, Context) { return significantText(cell.distribution->autocorrelation, 2); },
     nullptr},
    {"effective_samples", true, QT_TRANSLATE_NOOP("CellColumns", "Effective n"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Equivalent number of independent samples."),
     sampleValue<&SampleFigures::effectiveCount>,
     [](Cell cell, Context) { return significantText(cell.distribution->effectiveCount, 3); },
     nullptr},
    {"trend", true, QT_TRANSLATE_NOOP("CellColumns", "Trend"), "%",
     QT_TRANSLATE_NOOP("CellColumns", "Largest change from the first to the last sample of a "
                                      "repeat (Theil–Sen). Above 1 % the cell is drifting."),
     trendValue, trendText, nullptr},
    // What the device did meanwhile.
    {"sm_clock", true, QT_TRANSLATE_NOOP("CellColumns", "SM clock"), "MHz",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Mean SM clock over the samples; read 20 times a second and interpolated."),
     deviceTimeValue<&DeviceFigures::clockMegahertz>, deviceText<&DeviceFigures::clockMegahertz>,
     nullptr},
    {"speedup_cycles", true, QT_TRANSLATE_NOOP("CellColumns", "Speed-up in cycles"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Speed-up in SM cycles instead of seconds. Faster and slower "
                                      "must hold in both: a higher clock is no speed-up."),
     cyclesValue, cyclesText, nullptr},
    {"slowed", true, QT_TRANSLATE_NOOP("CellColumns", "Throttled"), "%",
     QT_TRANSLATE_NOOP("CellColumns", "Share of the sampling time in which the driver limited the "
                                      "clock because of power or temperature."),
     slowedValue, slowedText, nullptr},
    {"temperature", true, QT_TRANSLATE_NOOP("CellColumns", "Max. temperature"), "°C",
     QT_TRANSLATE_NOOP("CellColumns", "Highest device temperature during timing."),
     deviceTimeValue<&DeviceFigures::maximumCelsius>, deviceText<&DeviceFigures::maximumCelsius>,
     nullptr},
    {"discards", true, QT_TRANSLATE_NOOP("CellColumns", "Discarded"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Samples discarded for a recorded cause. They stay in the file."),
     discardsValue, asText<discardsValue>, nullptr},
    {"energy", true, QT_TRANSLATE_NOOP("CellColumns", "Energy"),
     +[](Context context) { return Text::tr("J/%1", "energy").arg(unitText(context.unit)); },
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Energy per image, token or sample from the device's counter, including idle power: over "
         "separate passes if the sweep has an energy time, else over the samples; at least 2 s."),
     energyValue, energyText, nullptr, energyMissing},
    {"end_to_end", true, QT_TRANSLATE_NOOP("CellColumns", "End to end"),
     +[](Context context) { return unitsPerSecond(context.unit); },
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Throughput including the host-to-device copy; empty if inputs are on the device."),
     endToEndValue, endToEndText, nullptr},
    {"input_copy", true, QT_TRANSLATE_NOOP("CellColumns", "Input copy"), kMilliseconds,
     QT_TRANSLATE_NOOP("CellColumns",
                       "Time of the copy of a batch from the host to the device, measured apart; "
                       "with overlapped inputs it runs beside a pass. No copy where inputs stay on "
                       "the device."),
     copyValue, copyText, nullptr, copyMissing},
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
