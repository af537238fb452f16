#include "core/report/compile_section.h"

#include "core/analysis/cell_label.h"
#include "core/base/format.h"
#include "core/report/html/html_text.h"
#include "core/report/markdown_text.h"
#include "core/report/words/compile_text.h"

#include <algorithm>

namespace qs::core {

namespace {

using Line = std::vector<std::string>;

const std::string kMissing = "–";
constexpr const char* kMeaning =
    "Cold: nothing of earlier compiles is there. Warm: the kernels of the first compile are. Load "
    "+ first call: from finished packages to the end of the first pass. A cell wins after the "
    "passes in which what it gains over its speed baseline is what it begins later; the interval "
    "is that of the gain.";

std::string breakEvenOrNothing(const std::optional<BreakEven>& breakEven, double unitsPerPass = 1.0)
{
    return breakEven ? breakEvenText(*breakEven, unitsPerPass) : kMissing;
}

bool anyExpected(const std::vector<CellGates>& gates)
{
    return std::any_of(gates.begin(), gates.end(),
                       [](const CellGates& each) { return !compileGatesText(each).empty(); });
}

Line headOf(bool gates)
{
    Line head{"Cell",
              "Batch",
              "Cold compile",
              "Where it goes",
              "Warm compile",
              "Load + first call",
              "Speed-up",
              "against",
              "Wins after passes, cold",
              "Wins after units, cold",
              "Wins after passes, warm",
              "Wins after units, warm",
              "Distance to eager"};
    if (gates)
        head.emplace_back("Expected");
    return head;
}

Line lineOf(const Analysis& analysis, const CellLabels& labels, const CellSummary& summary,
            const CellGates* gates)
{
    const CompileCost& cost = *summary.compileCost;
    const CellSummary* baseline = analysis.find(summary.baselineId);
    const std::string parts = compilePartsText(cost);
    const auto units = static_cast<double>(summary.cell->unitsPerPass);
    Line line{labels.of(*summary.cell),
              std::to_string(summary.cell->config.batch),
              formatSeconds(cost.coldSeconds),
              parts.empty() ? kMissing : parts,
              formatSeconds(cost.warmSeconds),
              formatSeconds(summary.startSeconds),
              summary.speedup ? withInterval(*summary.speedup, summary.speedupInterval) + "×"
                              : kMissing,
              baseline == nullptr ? kMissing : labels.of(*baseline->cell),
              breakEvenOrNothing(cost.cold),
              breakEvenOrNothing(cost.cold, units),
              breakEvenOrNothing(cost.warm),
              breakEvenOrNothing(cost.warm, units),
              packageDistanceText(cost)};
    if (gates != nullptr) {
        const std::string expected = compileGatesText(*gates);
        line.push_back(expected.empty() ? kMissing : expected);
    }
    return line;
}

std::vector<Line> linesOf(const Analysis& analysis, const std::vector<CellGates>& gates)
{
    const CellLabels labels = distinguish(analysis);
    const bool expected = anyExpected(gates);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
        if (analysis.cells[i].compileCost)
            lines.push_back(
                lineOf(analysis, labels, analysis.cells[i], expected ? &gates[i] : nullptr));
    }
    return lines;
}

std::string htmlLine(const Line& line, const char* begin, const char* end)
{
    std::string text = "<tr>";
    for (const std::string& each : line)
        text += begin + htmlText(each) + end;
    return text + "</tr>\n";
}

}  // namespace

std::string compileSection(const Analysis& analysis, const std::vector<CellGates>& gates)
{
    MarkdownTable table(headOf(anyExpected(gates)));
    for (const Line& line : linesOf(analysis, gates))
        table.add(line);
    return table.empty()
               ? std::string()
               : "## Compile cost\n\n" + markdownText(kMeaning) + "\n\n" + table.text() + "\n";
}

std::string htmlCompile(const Analysis& analysis, const std::vector<CellGates>& gates)
{
    const std::vector<Line> lines = linesOf(analysis, gates);
    if (lines.empty())
        return {};
    std::string rows;
    for (const Line& line : lines)
        rows += htmlLine(line, "<td>", "</td>");
    return "<section id=\"compile\"><h2>Compile cost</h2>\n<p class=\"dim\">" + htmlText(kMeaning) +
           "</p>\n<div class=\"scroll\"><table class=\"sortable\"><thead>" +
           htmlLine(headOf(anyExpected(gates)), "<th scope=\"col\"><button type=\"button\">",
                    "</button></th>") +
           "</thead><tbody>\n" + rows + "</tbody></table></div></section>\n";
}

}  // namespace qs::core
