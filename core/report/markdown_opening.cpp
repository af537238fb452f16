#include "core/analysis/pivot.h"
#include "core/report/advice_table.h"
#include "core/report/markdown_sections.h"
#include "core/report/markdown_text.h"
#include "core/report/pivot_metrics.h"
#include "core/report/words/answer_text.h"

#include <string>
#include <vector>

namespace qs::core {

namespace {

const std::string kNoPivot = "–";
// A pivot of more lines is no overview; the tables of the cells follow anyway.
constexpr std::size_t kMostPivotRows = 200;

std::string markdownPivot(const Pivot& pivot, const PivotMetric& metric)
{
    std::vector<std::string> head{"Cell"};
    for (const std::int64_t batch : pivot.batches)
        head.push_back("Batch " + std::to_string(batch));
    MarkdownTable table(head);
    for (const PivotRow& row : pivot.rows) {
        std::vector<std::string> line{row.label};
        for (const CellSummary* summary : row.cells) {
            std::string text = summary == nullptr ? std::string() : metric.text(*summary);
            if (text.empty() && summary != nullptr && summary->status != CellStatus::Ok &&
                summary->status != CellStatus::Skipped)
                text = name(summary->status);
            line.push_back(text.empty() ? kNoPivot : text);
        }
        table.add(line);
    }
    return "### " + markdownText(metric.title) + "\n\n" + table.text() + "\n";
}

}  // namespace

std::string answerSection(const Analysis& analysis)
{
    std::string text = "## Answer\n\n";
    if (const std::string progress = progressText(analysis); !progress.empty())
        text += progress + "\n\n";
    const std::vector<AnswerLine> lines = answerLines(analysis);
    if (lines.empty())
        return text + "No cell was measured.\n\n";
    for (const AnswerLine& line : lines)
        text += "* " + markdownText(line.question) + ": **" + markdownText(line.answer) + "**\n";
    text += "\n";
    const PlainTable advice = adviceTable(analysis, pivotOf(analysis), AdviceCells::Named);
    return advice.lines.empty() ? text : text + markdownOf(advice) + "\n";
}

std::string pivotSection(const Analysis& analysis)
{
    const Pivot pivot = pivotOf(analysis);
    if (pivot.rows.empty() || pivot.rows.size() > kMostPivotRows)
        return {};
    std::string text = "## Overview\n\n";
    for (const PivotMetric& metric : pivotMetrics(analysis, pivot))
        text += markdownPivot(pivot, metric);
    return text;
}

}  // namespace qs::core
