#include "core/analysis/cell_label.h"
#include "core/base/format.h"
#include "core/report/html/html_sections.h"
#include "core/report/html/html_text.h"
#include "core/report/markdown_text.h"
#include "core/report/pivot_metrics.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/verdict_text.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

std::string sortableHead(const std::vector<std::string>& titles)
{
    std::string text = "<thead><tr>";
    for (const std::string& title : titles)
        text += "<th scope=\"col\"><button type=\"button\">" + htmlText(title) + "</button></th>";
    return text + "</tr></thead>\n";
}

std::string table(const std::string& head, const std::string& rows)
{
    return "<div class=\"scroll\"><table class=\"sortable\">" + head + "<tbody>\n" + rows +
           "</tbody></table></div>\n";
}

// `key`: what the column sorts by; missing values come last.
std::string cellOf(const std::string& text, const std::optional<double>& key,
                   const std::string& classes = {})
{
    const bool known = key && std::isfinite(*key);
    return "<td" + (classes.empty() ? "" : " class=\"" + classes + "\"") + " data-v=\"" +
           (known ? formatExact(*key) : std::string()) + "\">" +
           (text.empty() ? "–" : htmlText(text)) + "</td>";
}

std::string textCell(const std::string& text, const std::string& classes = {})
{
    return "<td" + (classes.empty() ? "" : " class=\"" + classes + "\"") + ">" +
           (text.empty() ? "–" : htmlText(text)) + "</td>";
}

// The best of a column, if more than one cell has a number there.
const CellSummary* bestOf(const Pivot& pivot, std::size_t column, const PivotMetric& metric)
{
    const CellSummary* best = nullptr;
    int known = 0;
    for (const PivotRow& row : pivot.rows) {
        const CellSummary* summary = row.cells[column];
        const auto value = summary == nullptr ? std::nullopt : metric.value(*summary);
        if (!value || !std::isfinite(*value) || !summary->doubts.empty())
            continue;
        ++known;
        const bool better =
            best == nullptr || (metric.better == Better::Higher ? *value > *metric.value(*best)
                                                                : *value < *metric.value(*best));
        best = better ? summary : best;
    }
    return known > 1 ? best : nullptr;
}

std::string verdictClass(const CellSummary& summary)
{
    const bool judged = summary.claim && summary.claim->verdict != Verdict::TooFewRounds;
    return judged ? toString(summary.claim->verdict) : std::string();
}

std::string htmlPivot(const Pivot& pivot, const PivotMetric& metric)
{
    std::vector<std::string> titles{"Cell"};
    for (const std::int64_t batch : pivot.batches)
        titles.push_back("Batch " + std::to_string(batch));
    std::vector<const CellSummary*> best;
    for (std::size_t column = 0; column < pivot.batches.size(); ++column)
        best.push_back(bestOf(pivot, column, metric));
    std::string rows;
    for (const PivotRow& row : pivot.rows) {
        rows += "<tr>" + textCell(row.label);
        for (std::size_t column = 0; column < row.cells.size(); ++column) {
            const CellSummary* summary = row.cells[column];
            if (summary == nullptr) {
                rows += cellOf({}, std::nullopt);
                continue;
            }
            std::string text = metric.text(*summary);
            const bool failed = text.empty() && summary->status != CellStatus::Ok &&
                                summary->status != CellStatus::Skipped;
            rows += cellOf(failed ? std::string(name(summary->status)) : text,
                           metric.value(*summary), best[column] == summary ? "best" : "");
        }
        rows += "</tr>\n";
    }
    return "<h3>" + htmlText(metric.title) + "</h3>\n" + table(sortableHead(titles), rows);
}

std::string withUnit(const CellSummary& summary)
{
    return summary.measured ? withInterval(summary.throughput, summary.throughputInterval())
                            : std::string();
}

std::string qualityText(const CellSummary& summary, const OutputMetric& metric)
{
    if (summary.cell->referenceId == summary.cellId)
        return "reference";
    if (!summary.quality || (metric.needsTraining && !summary.cell->trained))
        return {};
    if (summary.identical())
        return "identical";
    const auto mean = summary.quality->mean(metric.name);
    return mean ? formatSignificant(*mean, metric.digits) : std::string();
}

std::string cellRow(const CellSummary& summary, const CellLabels& labels, std::size_t place)
{
    const PlannedCell& cell = *summary.cell;
    const OutputMetric& distance = metricRegistry().distanceOf(cell.output);
    const bool measured = summary.measured;
    const std::string verdict = summary.claim ? verdictText(*summary.claim) : std::string();
    const std::string outlook = summary.claim ? outlookText(*summary.claim) : std::string();
    const auto& peak =
        summary.memory.allocatedPeak ? summary.memory.allocatedPeak : summary.memory.processPeak;
    const auto bytes = measured && peak ? std::optional(static_cast<double>(*peak)) : std::nullopt;
    const std::string reason = reasonText(summary);
    return "<tr id=\"" + cellRowId(place) + "\">" + textCell(labels.of(cell)) +
           cellOf(std::to_string(cell.config.batch), static_cast<double>(cell.config.batch)) +
           cellOf(withUnit(summary), measured ? std::optional(summary.throughput) : std::nullopt) +
           cellOf(measured ? formatSeconds(summary.seconds) : std::string(),
                  measured ? std::optional(summary.seconds) : std::nullopt) +
           cellOf(summary.speedup ? withInterval(*summary.speedup, summary.speedupInterval) + "×"
                                  : std::string(),
                  summary.speedup) +
           textCell(verdict + (verdict.empty() || outlook.empty() ? "" : ": ") + outlook,
                    verdictClass(summary)) +
           cellOf(qualityText(summary, distance),
                  summary.quality ? summary.quality->mean(distance.name) : std::nullopt) +
           cellOf(summary.noiseMultiple ? formatSignificant(*summary.noiseMultiple, 3) + "×"
                                        : std::string(toString(summary.noiseResult)),
                  summary.noiseMultiple) +
           cellOf(bytes ? formatBytes(*bytes) : std::string(), bytes) +
           textCell(std::string(name(summary.status)) + (reason.empty() ? "" : ": " + reason)) +
           "</tr>\n";
}

}  // namespace

std::string cellRowId(std::size_t place)
{
    return "cell-" + std::to_string(place);
}

std::string htmlPivots(const Analysis& analysis, const Pivot& pivot)
{
    if (pivot.rows.empty() || pivot.rows.size() > kMostCellRows)
        return {};
    std::string text = "<section id=\"overview\"><h2>Overview</h2>\n";
    for (const PivotMetric& metric : pivotMetrics(analysis, pivot))
        text += htmlPivot(pivot, metric);
    return text + "</section>\n";
}

std::string htmlCells(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    std::string rows;
    std::size_t shown = 0;
    for (const CellSummary& summary : analysis.cells) {
        if (shown < kMostCellRows)
            rows += cellRow(summary, labels, shown);
        ++shown;
    }
    std::string text =
        "<section id=\"cells\"><details" +
        std::string(analysis.cells.size() <= 100 ? " open" : "") + "><summary>All cells (" +
        std::to_string(analysis.cells.size()) + ")</summary>\n" +
        table(sortableHead({"Cell", "Batch", "Throughput", "Per pass", "Speed-up", "Verdict",
                            "Quality", "Noise floors", "Memory", "Status"}),
              rows);
    if (shown > kMostCellRows)
        text += "<p class=\"dim\">The first " + std::to_string(kMostCellRows) +
                " cells; cells.csv has all of them.</p>\n";
    return text + "</details></section>\n";
}

}  // namespace qs::core
