#include "core/report/comparison_report.h"

#include "core/analysis/cell_label.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/markdown_text.h"
#include "core/report/words/comparison_text.h"
#include "core/report/words/environment_field_text.h"
#include "core/report/words/verdict_text.h"
#include "core/sweep/axis_spec.h"

#include <algorithm>

namespace qs::core {

namespace {

const std::string kNoChange = "–";

std::string throughputText(const CellSummary& summary)
{
    return summary.measured ? withInterval(summary.throughput, summary.throughputInterval())
                            : kNoChange;
}

std::string ratioText(const MatchedCell& cell)
{
    if (!cell.speed)
        return kNoChange;
    const Estimate& ratio = cell.speed->evidence.ratio;
    return withInterval(ratio.value, ratio.interval) + "×";
}

std::string orNothing(std::string text)
{
    return text.empty() ? kNoChange : std::move(text);
}

std::string cellsTable(const NamedComparison& other, const CellLabels& labels)
{
    MarkdownTable table(
        {"Cell", "Before", "After", "Speed-up", "Verdict", "Outputs", "Memory", "Status"});
    for (const MatchedCell& cell : other.comparison.cells)
        table.add({labels.withBatch(*cell.before->cell), throughputText(*cell.before),
                   throughputText(*cell.after), ratioText(cell), orNothing(speedChangeText(cell)),
                   orNothing(outputChangeText(cell)),
                   cell.memoryRatio ? formatSignificant(*cell.memoryRatio, 4) + "×" : kNoChange,
                   statusChangeText(cell.status)});
    return table.empty() ? "No cell is in both runs.\n" : table.text();
}

std::string environmentTable(const RunComparison& comparison)
{
    MarkdownTable table({"What", "Before", "After", "May affect"});
    for (const ChangedAxis& axis : comparison.changed) {
        const AxisSpec& spec = *findAxisSpec(axis.name);
        table.add({spec.noun, orNothing(wordOf(spec, axis.before)),
                   orNothing(wordOf(spec, axis.after)), "speed and results"});
    }
    for (const EnvironmentField& field : comparison.environment) {
        if (!field.differs || field.values.size() < 2)
            continue;
        const std::vector<std::string> values = fieldValues(field);
        table.add({fieldName(field), orNothing(values.front()), orNothing(values.back()),
                   effectText(effectOf(field.fact))});
    }
    return table.empty() ? "Nothing that is known differs between the two but the time.\n"
                         : table.text();
}

std::string missing(const char* title, const std::vector<const CellSummary*>& cells,
                    const CellLabels& labels)
{
    if (cells.empty())
        return {};
    std::string text = std::string("\n") + title + " (" + std::to_string(cells.size()) + "): ";
    constexpr std::size_t kMostNamed = 10;
    for (std::size_t i = 0; i < std::min(cells.size(), kMostNamed); ++i)
        text += (i == 0 ? "" : "; ") + markdownText(labels.withBatch(*cells[i]->cell));
    return text + (cells.size() > kMostNamed ? "; …" : "") + "\n";
}

}  // namespace

std::string comparisonMarkdown(const ComparedRuns& runs)
{
    const CellLabels& labels = runs.base.analysis->labels;
    std::string text = "# Comparison with " + markdownText(runs.baseName) + "\n\n";
    for (const NamedComparison& other : runs.others) {
        const CellLabels& ofOther = other.side.analysis->labels;
        const RunComparison& comparison = other.comparison;
        text += "## " + markdownText(other.name) + "\n\n**" +
                markdownText(comparisonAnswer(comparison)) + "**\n\n### What changed\n\n" +
                environmentTable(comparison) + "\n### Cells\n\n" + cellsTable(other, labels) +
                missing("Only before", comparison.onlyBefore, labels) +
                missing("Only after", comparison.onlyAfter, ofOther) + "\n";
    }
    return text + markdownText(comparisonExplanation()) + "\n";
}

}  // namespace qs::core
