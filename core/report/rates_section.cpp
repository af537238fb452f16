#include "core/report/rates_section.h"

#include "core/analysis/batch_limits.h"
#include "core/analysis/metric_values.h"
#include "core/base/format.h"
#include "core/report/markdown_text.h"

#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kRatesMeaning =
    "Square kilometres at 10 m a pixel; the land of the world is 149,000,000 km², covered on one "
    "device. "
    "Attainable: what quantizing could reach if its layers took no time at all, attention and all "
    "else as before (Amdahl's law).";
constexpr const char* kLimitsMeaning =
    "The largest batch that fits is known where a larger one ran out of memory.";
constexpr double kSecondsOfDay = 86'400.0;
constexpr int kAttainableDigits = 3;
const std::string kNoRate = "–";

// Of the metric of that name, divided by `unit`.
std::string figureText(std::string_view name, const CellSummary& summary, double unit = 1.0)
{
    const Metric& metric = *metricRegistry().find(name);
    const auto value = valueOf(metric, summary);
    if (!value)
        return kNoRate;
    auto interval = intervalOf(metric, summary);
    if (interval)
        interval = Interval{interval->lower / unit, interval->upper / unit};
    return withInterval(*value / unit, interval);
}

std::string attainableText(const CellSummary& summary)
{
    const auto value = valueOf("attainable", summary);
    return value ? formatSignificant(*value, kAttainableDigits) + "×" : kNoRate;
}

}  // namespace

TableSection ratesSection(const Analysis& analysis)
{
    PlainTable table{{"Cell", "Batch", "Samples/s", "Tokens/s", "km²/s", "Land of the world (days)",
                      "Attainable speed-up", "Out of memory"},
                     {}};
    bool anyArea = false;
    for (const CellSummary& summary : analysis.cells) {
        const bool outOfMemory = summary.status == CellStatus::Oom;
        const bool area = valueOf("area_rate", summary).has_value();
        anyArea = anyArea || area;
        if (area || outOfMemory)
            table.lines.push_back(
                {analysis.labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                 figureText("throughput", summary), figureText("token_rate", summary),
                 figureText("area_rate", summary), figureText("land_time", summary, kSecondsOfDay),
                 attainableText(summary), outOfMemory ? "yes" : "no"});
    }
    if (!anyArea)
        table.lines.clear();
    return {"rates", "Area and tokens", kRatesMeaning, std::move(table)};
}

TableSection batchLimitsSection(const Analysis& analysis)
{
    PlainTable table{
        {"Family", "Largest batch that fits", "Batch of best throughput", "Throughput (units/s)"},
        {}};
    for (const BatchLimits& each : batchLimits(analysis)) {
        if (each.cellIds.size() < 2 || !each.bestThroughputBatch)
            continue;
        table.lines.push_back(
            {each.family,
             each.largestFitting ? std::to_string(*each.largestFitting) : "not reached",
             std::to_string(*each.bestThroughputBatch),
             withInterval(each.bestThroughput, each.bestThroughputInterval)});
    }
    return {"limits", "Batch limits", kLimitsMeaning, std::move(table)};
}

}  // namespace qs::core
