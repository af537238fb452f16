#include "core/analysis/cell_label.h"
#include "core/analysis/metric_values.h"
#include "core/analysis/reference_figures.h"
#include "core/base/format.h"
#include "core/report/html/html_plot.h"
#include "core/report/html/html_sections.h"
#include "core/report/html/html_text.h"
#include "core/report/markdown_text.h"
#include "core/report/pivot_metrics.h"
#include "core/sweep/metric.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace qs::core {

namespace {

// More lines than this nobody tells apart.
constexpr std::size_t kMostSeries = 24;

// Colours by precision, dashes by compile mode, in the order in which they occur.
class SeriesStyles final
{
public:
    void apply(const CellConfig& config, PlotSeries& series)
    {
        apply(precisionText(config), config.compile, series);
    }
    void apply(const std::string& precision, const std::string& mode, PlotSeries& series)
    {
        const auto numbered = [](std::map<std::string, int>& known, const std::string& key) {
            return known.try_emplace(key, static_cast<int>(known.size())).first->second;
        };
        series.colour = numbered(m_colours, precision);
        series.dash = numbered(m_dashes, mode);
    }

private:
    std::map<std::string, int> m_colours;
    std::map<std::string, int> m_dashes;
};

const CellSummary* firstOf(const PivotRow& row)
{
    const auto found = std::find_if(row.cells.begin(), row.cells.end(),
                                    [](const CellSummary* each) { return each != nullptr; });
    return found == row.cells.end() ? nullptr : *found;
}

bool isSound(const CellSummary* summary)
{
    return summary != nullptr && summary->measured && summary->doubts.empty() &&
           summary->throughput > 0.0;
}

std::string section(const char* id, const std::string& title, const std::string& plot)
{
    return plot.empty() ? plot
                        : std::string("<section id=\"") + id + "\"><h2>" + htmlText(title) +
                              "</h2>\n" + plot + "</section>\n";
}

// Whether the numbers reach over so much that a linear axis would press most of them together.
bool isWide(const std::vector<PlotSeries>& all)
{
    double lowest = INFINITY;
    double highest = 0.0;
    for (const PlotSeries& series : all) {
        for (const PlotPoint& point : series.points) {
            lowest = std::min(lowest, point.y);
            highest = std::max(highest, point.y);
        }
    }
    return lowest > 0.0 && highest / lowest > 20.0;
}

// What one other program measured, a series for each of its precisions and modes.
void addReferences(const ReferenceResults& results, SeriesStyles& styles, Plot& plot)
{
    std::map<std::string, PlotSeries> all;
    for (const ReferenceRow& row : results.rows) {
        const auto figures = row.status == ReferenceStatus::Ok ? figuresOf(row) : std::nullopt;
        if (!figures)
            continue;
        const std::string name = row.precision + " · " + row.mode + " · " + results.program;
        PlotSeries& series = all[name];
        series.name = name;
        series.foreign = true;
        styles.apply(row.precision, row.mode, series);
        series.points.push_back({.x = static_cast<double>(row.batch),
                                 .y = figures->throughput,
                                 .about = name + " · batch " + std::to_string(row.batch) + ": " +
                                          formatSignificant(figures->throughput, 3) +
                                          ", a reference result"});
    }
    for (auto& [name, series] : all) {
        std::sort(series.points.begin(), series.points.end(),
                  [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
        plot.series.push_back(std::move(series));
    }
}

std::string throughputPlot(const Pivot& pivot, const std::string& yTitle,
                           const std::vector<RunReference>& references)
{
    Plot plot{.id = "plot-throughput", .xTitle = "Batch", .yTitle = yTitle, .xLog = true};
    SeriesStyles styles;
    for (const PivotRow& row : pivot.rows) {
        const CellSummary* first = firstOf(row);
        if (first == nullptr)
            continue;
        PlotSeries series{.name = row.label};
        styles.apply(first->cell->config, series);
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const CellSummary* summary = row.cells[i];
            if (!isSound(summary))
                continue;
            const auto interval = summary->throughputInterval();
            series.points.push_back(
                {.x = static_cast<double>(pivot.batches[i]),
                 .y = summary->throughput,
                 .lower = interval ? std::optional(interval->lower) : std::nullopt,
                 .upper = interval ? std::optional(interval->upper) : std::nullopt,
                 .about = row.label + " · batch " + std::to_string(pivot.batches[i]) + ": " +
                          withInterval(summary->throughput, interval)});
        }
        if (!series.points.empty())
            plot.series.push_back(std::move(series));
    }
    if (plot.series.size() > kMostSeries)
        plot.series.resize(kMostSeries);
    for (const RunReference& reference : references) {
        if (reference.results)
            addReferences(*reference.results, styles, plot);
    }
    for (const std::int64_t batch : pivot.batches)
        plot.xTicks.push_back(static_cast<double>(batch));
    plot.yLog = isWide(plot.series);
    return svgPlot(plot);
}

// Points that none beats in both: from the best outputs to the highest speed.
std::vector<PlotPoint> frontierOf(const std::vector<PlotSeries>& all)
{
    std::vector<PlotPoint> points;
    for (const PlotSeries& series : all)
        points.insert(points.end(), series.points.begin(), series.points.end());
    std::sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) {
        return a.x != b.x ? a.x < b.x : a.y > b.y;
    });
    std::vector<PlotPoint> frontier;
    for (const PlotPoint& point : points) {
        if (frontier.empty() || point.y > frontier.back().y)
            frontier.push_back(point);
    }
    return frontier;
}

// In noise floors; nothing where outputs were not compared.
std::optional<double> floorsFrom(const CellSummary& summary)
{
    return summary.cellId == summary.cell->referenceId ? 0.0 : summary.noiseMultiple;
}

std::string floorsText(const CellSummary& summary, double distance)
{
    if (summary.cellId == summary.cell->referenceId)
        return "the reference";
    return distance == 0.0 ? "identical" : formatSignificant(distance, 3) + "× noise floor";
}

// Of each cell with a distance, its speed-up at its own batch: one point.
std::string paretoPlot(const Pivot& pivot)
{
    Plot plot{.id = "plot-pareto",
              .xTitle = "Distance from the reference in noise floors (left is better)",
              .yTitle = "Speed-up",
              .xLog = true,
              .joined = false,
              .xLimit = 1.0,
              .xLimitName = "noise floor",
              .xZeroName = "identical"};
    SeriesStyles styles;
    for (const PivotRow& row : pivot.rows) {
        const CellSummary* first = firstOf(row);
        if (first == nullptr)
            continue;
        PlotSeries series{.name = row.label};
        styles.apply(first->cell->config, series);
        for (const CellSummary* summary : row.cells) {
            if (!isSound(summary) || !summary->speedup)
                continue;
            const std::optional<double> distance = floorsFrom(*summary);
            if (!distance)
                continue;
            const auto& interval = summary->speedupInterval;
            series.points.push_back(
                {.x = *distance,
                 .y = *summary->speedup,
                 .lower = interval ? std::optional(interval->lower) : std::nullopt,
                 .upper = interval ? std::optional(interval->upper) : std::nullopt,
                 .about = row.label + " · batch " + std::to_string(summary->cell->config.batch) +
                          ": " + withInterval(*summary->speedup, interval) + "×, " +
                          floorsText(*summary, *distance)});
        }
        if (!series.points.empty())
            plot.series.push_back(std::move(series));
    }
    if (plot.series.size() > kMostSeries)
        plot.series.resize(kMostSeries);
    plot.frontier = frontierOf(plot.series);
    return svgPlot(plot);
}

// Only what counts the same units has a place on the axis.
std::vector<RunReference> ofSameUnit(const RunData& data)
{
    std::vector<RunReference> references = referencesOf(data.folder);
    std::erase_if(references, [&](const RunReference& each) {
        return !each.results || data.plan.cells.empty() ||
               each.results->unit != data.plan.cells.front().unit;
    });
    return references;
}

}  // namespace

std::string htmlPlots(const RunData& data, const Analysis& analysis, const Pivot& pivot)
{
    const std::vector<PivotMetric> metrics = pivotMetrics(analysis, pivot);
    const std::string throughput = metrics.empty() ? std::string() : metrics.front().title;
    return section("curves", "Throughput over batch",
                   throughputPlot(pivot, throughput, ofSameUnit(data))) +
           section("pareto", "Speed against quality", paretoPlot(pivot));
}

}  // namespace qs::core
