#include "core/report/pivot_metrics.h"

#include "core/analysis/metric_values.h"
#include "core/base/format.h"
#include "core/report/markdown_text.h"
#include "core/report/words/verdict_text.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace qs::core {

namespace {

constexpr int kPivotDigits = 4;

std::string inSupportedDigits(double value, const std::optional<Interval>& interval)
{
    return formatSignificant(
        value, interval ? std::min(kPivotDigits, supportedDigits(value, *interval)) : kPivotDigits);
}

std::string throughputTitle(const Pivot& pivot)
{
    std::set<std::string> units;
    for (const PivotRow& row : pivot.rows) {
        for (const CellSummary* summary : row.cells) {
            if (summary != nullptr)
                units.insert(std::string(name(summary->cell->unit)) + "s");
        }
    }
    return "Throughput (" + (units.size() == 1 ? *units.begin() : std::string("units")) + "/s)";
}

PivotMetric throughputMetric(const Pivot& pivot)
{
    return {.title = throughputTitle(pivot),
            .text =
                [](const CellSummary& summary) {
                    return summary.measured && summary.throughput > 0.0
                               ? inSupportedDigits(summary.throughput, summary.throughputInterval())
                               : std::string();
                },
            .value = [](const CellSummary& summary) -> std::optional<double> {
                if (!summary.measured || !(summary.throughput > 0.0))
                    return std::nullopt;
                return summary.throughput;
            }};
}

std::string speedupText(const CellSummary& summary)
{
    if (summary.cellId == summary.baselineId && summary.measured)
        return "baseline";
    if (!summary.speedup)
        return {};
    constexpr int kRatioDigits = 3;
    const auto& interval = summary.speedupInterval;
    const std::string text =
        formatSignificant(*summary.speedup,
                          interval
                              ? std::min(kRatioDigits, supportedDigits(*summary.speedup, *interval))
                              : kRatioDigits) +
        "×";
    const std::string verdict = summary.claim ? verdictText(*summary.claim) : std::string();
    // What is open is told with how far it leans.
    if (summary.claim && summary.claim->verdict == Verdict::Ambiguous && interval) {
        const std::string leaning = leaningText(*summary.claim);
        return withInterval(*summary.speedup, interval) + "× " + verdict +
               (leaning.empty() ? "" : ", " + leaning);
    }
    return verdict.empty() ? text : text + " " + verdict;
}

PivotMetric speedupMetric()
{
    return {.title = "Speed-up", .text = speedupText, .value = [](const CellSummary& summary) {
                return summary.speedup;
            }};
}

PivotMetric outputMetric(const OutputMetric& metric)
{
    const auto value = [&metric](const CellSummary& summary) -> std::optional<double> {
        if (!summary.quality || (metric.needsTraining && !summary.cell->trained))
            return std::nullopt;
        return summary.quality->mean(metric.name);
    };
    return {.title = metric.title + " to the reference" +
                     (metric.unit == MetricUnit::Decibel ? " (dB)" : ""),
            .better = metric.better,
            .text = [value, &metric](const CellSummary& summary) -> std::string {
                if (summary.identical())
                    return "identical";
                const auto number = value(summary);
                return number ? formatSignificant(*number, metric.digits) : std::string();
            },
            .value = value};
}

PivotMetric labelMetric(const Metric& metric)
{
    const auto value = [&metric](const CellSummary& summary) { return valueOf(metric, summary); };
    return {.title = metric.title,
            .better = metric.better,
            .text =
                [value, &metric](const CellSummary& summary) {
                    const auto number = value(summary);
                    return number ? formatSignificant(*number, metric.digits) : std::string();
                },
            .value = value};
}

PivotMetric noiseMetric()
{
    return {.title = "Distance in noise floors",
            .better = Better::Lower,
            .text = [](const CellSummary& summary) -> std::string {
                if (summary.noiseResult == NoiseResult::Deterministic)
                    return toString(summary.noiseResult);
                if (!summary.noiseMultiple)
                    return {};
                const std::string text = formatSignificant(*summary.noiseMultiple, 3) + "×";
                const bool judged = summary.cell->trained && summary.qualityVerdict &&
                                    *summary.qualityVerdict != QualityVerdict::TooFewPictures;
                return judged ? text + " " + toString(*summary.qualityVerdict) : text;
            },
            .value = [](const CellSummary& summary) { return summary.noiseMultiple; }};
}

// Of the allocator where every cell has one, else of the process.
PivotMetric memoryMetric(const Pivot& pivot)
{
    bool allocated = true;
    for (const PivotRow& row : pivot.rows) {
        for (const CellSummary* summary : row.cells)
            allocated = allocated && (summary == nullptr || !summary->measured ||
                                      summary->memory.allocatedPeak.has_value());
    }
    const auto bytes = [allocated](const CellSummary& summary) -> std::optional<double> {
        const auto& peak = allocated ? summary.memory.allocatedPeak : summary.memory.processPeak;
        return summary.measured && peak ? std::optional(static_cast<double>(*peak)) : std::nullopt;
    };
    return {.title = allocated ? "Peak memory (allocated)" : "Peak memory (process)",
            .better = Better::Lower,
            .text =
                [bytes](const CellSummary& summary) {
                    const auto value = bytes(summary);
                    return value ? formatBytes(*value) : std::string();
                },
            .value = bytes};
}

bool saysAnything(const PivotMetric& metric, const Pivot& pivot)
{
    return std::any_of(pivot.rows.begin(), pivot.rows.end(), [&](const PivotRow& row) {
        return std::any_of(row.cells.begin(), row.cells.end(), [&](const CellSummary* summary) {
            return summary != nullptr && metric.value(*summary).has_value();
        });
    });
}

}  // namespace

std::vector<PivotMetric> pivotMetrics(const Analysis& analysis, const Pivot& pivot)
{
    std::vector<PivotMetric> metrics{throughputMetric(pivot), speedupMetric()};
    for (const OutputMetric* metric : outputMetricsOf(analysis)) {
        if (metric->inTables)
            metrics.push_back(outputMetric(*metric));
    }
    for (const Metric* metric : labelMetricsOf(analysis))
        metrics.push_back(labelMetric(*metric));
    metrics.push_back(noiseMetric());
    metrics.push_back(memoryMetric(pivot));
    std::erase_if(metrics, [&](const PivotMetric& each) { return !saysAnything(each, pivot); });
    return metrics;
}

}  // namespace qs::core
