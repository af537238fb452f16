#include "widgets/models/cell_column.h"

#include "core/analysis/metric_values.h"
#include "core/stats/summary.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/verdict_tone.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace qs::widgets {

namespace {

QString titleOf(const CellColumn& column, const CellContext& context)
{
    if (column.axis != nullptr)
        return axisTitle(QString::fromStdString(column.axis->name));
    if (column.metric == nullptr)
        return column.title(context);
    const QString title = metricTitle(*column.metric);
    return context.untrained && column.metric->comparesOutputs
               ? ColumnWords::tr("Numeric deviation (random weights or inputs)\n%1").arg(title)
               : title;
}

QString unitOf(const CellColumn& column, const CellContext& context)
{
    if (column.metric != nullptr)
        return metricUnit(*column.metric, context.unit);
    // A unit that only repeats the name says nothing.
    if (column.axis != nullptr)
        return column.axis->unit == "px" ? QStringLiteral("px") : QString();
    return column.unit(context);
}

// Of how many outputs it is, where some lack it, and the distance that verdicts are made of.
QString metricDetail(const core::Metric& metric, const core::CellSummary& cell)
{
    const core::OutputMetric* output = core::metricRegistry().findOutput(metric.outputMetric);
    if (output == nullptr || !cell.quality || cell.cell == nullptr)
        return {};
    const core::QualityFigures& quality = *cell.quality;
    if (quality.identical)
        return ColumnWords::tr("Every output equals the reference bit by bit.");
    const auto figure = quality.metrics.find(output->name);
    if (figure != quality.metrics.end() && figure->second.samples < quality.samples.size())
        return ColumnWords::tr("Over the %1 of %2 outputs that differ.")
            .arg(figure->second.samples)
            .arg(quality.samples.size());
    if (output != &core::metricRegistry().distanceOf(cell.cell->output))
        return {};
    return ColumnWords::tr("Distance from the reference: mean %1, worst output %2.")
        .arg(significantText(quality.distance, 3), significantText(quality.worstDistance, 3));
}

}  // namespace

QString ColumnText::operator()(CellColumn::Context context) const
{
    if (m_make != nullptr)
        return m_make(context);
    return *m_words == '\0' ? QString() : ColumnWords::tr(m_words);
}

const core::CellGates* CellContext::gatesOf(const core::CellSummary& summary) const
{
    const auto found = gates.find(summary.cellId);
    return found == gates.end() ? nullptr : &found->second;
}

bool CellColumn::isFirstSight(Context context) const
{
    constexpr std::string_view kFirst[] = {"precision",      "layers",         "compile",
                                           "batch",          "model",          "device",
                                           "latency",        "throughput",     "speedup",
                                           "verdict",        "noise_multiple", "quality_verdict",
                                           "allocated_peak", "process_peak",   "million_cost",
                                           "status",         "gates"};
    if (axis != nullptr || group == ColumnGroup::OtherRuns)
        return true;
    // Of two columns that say the same, the one that reads well.
    if (std::string_view(id) == (context.quantizes ? "throughput" : "latency"))
        return false;
    if (metric == nullptr)
        return std::find(std::begin(kFirst), std::end(kFirst), id) != std::end(kFirst);
    // The distance that verdicts are made of.
    const core::OutputMetric* output = core::metricRegistry().findOutput(metric->outputMetric);
    return output != nullptr && !output->isDistanceOf.empty() && !metric->worst;
}

bool CellColumn::isEssential(Context context) const
{
    constexpr std::string_view kNotEssential[] = {"verdict", "noise_multiple", "quality_verdict",
                                                  "million_cost", "gates"};
    // The sign before the ratio is the verdict.
    if (group == ColumnGroup::OtherRuns)
        return number;
    return isFirstSight(context) && std::find(std::begin(kNotEssential), std::end(kNotEssential),
                                              id) == std::end(kNotEssential);
}

bool CellColumn::isConfiguration() const
{
    constexpr std::string_view kNames[] = {"precision", "compile", "batch"};
    return axis != nullptr
               ? use == ColumnUse::WithValues
               : std::find(std::begin(kNames), std::end(kNames), id) != std::end(kNames);
}

QString CellColumn::shortHeading(Context context) const
{
    const std::string_view name = id;
    if (group == ColumnGroup::OtherRuns)
        return titleOf(*this, context);
    if (name == "speedup")
        return ColumnWords::tr("Speed-up");
    if (name == "status")
        return {};  // "ok" needs no name
    if (name == "throughput" || name == "allocated_peak" || name == "process_peak")
        return unitOf(*this, context);
    const core::OutputMetric* output =
        metric == nullptr ? nullptr : core::metricRegistry().findOutput(metric->outputMetric);
    return output == nullptr ? heading(context) : ColumnWords::tr(output->title.c_str());
}

QString CellColumn::heading(Context context) const
{
    const QString unitText = unitOf(*this, context);
    const QString text = titleOf(*this, context);
    return unitText.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, unitText);
}

QString CellColumn::fullHeading(Context context) const
{
    const QString differs = across == nullptr ? QString() : across(context);
    return differs.isEmpty() ? heading(context)
                             : QStringLiteral("%1 (%2)").arg(heading(context), differs);
}

QString CellColumn::about(Context context) const
{
    if (metric != nullptr)
        return metricAbout(*metric);
    if (axis == nullptr)
        return explanation(context);
    return axis->description.empty() ? ColumnWords::tr("As the sweep asks for it.")
                                     : ColumnWords::tr(axis->description.c_str());
}

QVariant CellColumn::valueOf(Cell cell, Context context) const
{
    if (metric != nullptr) {
        const auto number = core::valueOf(*metric, cell);
        return number ? QVariant(*number * metricFactor(*metric)) : QVariant();
    }
    if (axis != nullptr) {
        const std::string text =
            cell.cell == nullptr ? std::string() : axis->text(cell.cell->config);
        if (text.empty())
            return {};
        return number ? QVariant(qlonglong{std::stoll(text)})
                      : QVariant(QString::fromStdString(core::wordOf(*axis, text)));
    }
    return value(cell, context);
}

QString CellColumn::textOf(Cell cell, Context context) const
{
    if (metric != nullptr)
        return metric->comparesOutputs && cell.identical()
                   ? ColumnWords::tr("identical")
                   : significantText(valueOf(cell, context).toDouble(), metric->digits);
    if (axis == nullptr)
        return text(cell, context);
    if (core::isOff(*axis, cell.cell->config))
        return QStringLiteral("–");
    const QVariant member = valueOf(cell, context);
    return number ? QLocale().toString(member.toLongLong()) : member.toString();
}

namespace {

double fartherEnd(double value, const core::Interval& interval)
{
    return std::max(interval.upper - value, value - interval.lower);
}

// Five tell neighbours apart; of a figure that is hardly known they would be made up.
int throughputDigits(const core::CellSummary& cell)
{
    constexpr int kDigits = 5;
    constexpr double kHardlyKnown = 0.1;
    const auto interval = cell.throughputInterval();
    if (!interval || fartherEnd(cell.throughput, *interval) <= kHardlyKnown * cell.throughput)
        return kDigits;
    return std::clamp(core::supportedDigits(cell.throughput, *interval), 2, kDigits);
}

}  // namespace

QString CellColumn::shortTextOf(Cell cell, Context context) const
{
    if (brief != nullptr)
        return brief(cell, context);
    const std::string_view name = id;
    if (name == "speedup") {
        if (cell.cellId == cell.baselineId)
            return ColumnWords::tr("baseline");
        return verdictSign(speedTone(cell)) +
               QStringLiteral("%1×").arg(significantText(*cell.speedup, 3));
    }
    if (name == "allocated_peak" || name == "process_peak")
        return significantText(valueOf(cell, context).toDouble(), 3);
    if (name == "throughput") {
        // The farther end of the interval, in per cent.
        const auto interval = cell.throughputInterval();
        const QString number = significantText(cell.throughput, throughputDigits(cell));
        if (!interval || cell.throughput <= 0.0)
            return number;
        const double percent = 100.0 * fartherEnd(cell.throughput, *interval) / cell.throughput;
        return percent < 999.0 ? QStringLiteral("%1 ±%2%").arg(
                                     number, significantText(percent, percent < 1.0 ? 1 : 2))
                               : estimateText(cell.throughput, *interval);
    }
    return textOf(cell, context);
}

QString CellColumn::terseTextOf(Cell cell, Context context) const
{
    return std::string_view(id) == "throughput"
               ? significantText(cell.throughput, throughputDigits(cell))
               : shortTextOf(cell, context);
}

QString CellColumn::detailOf(Cell cell, Context context) const
{
    if (metric != nullptr)
        return metricDetail(*metric, cell);
    return detail == nullptr ? QString() : detail(cell, context);
}

}  // namespace qs::widgets
