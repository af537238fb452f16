#include "core/report/compile_section.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/region_speeds.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/html/html_text.h"
#include "core/report/markdown_text.h"
#include "core/report/plain_table.h"
#include "core/report/words/compile_text.h"

#include <algorithm>

namespace qs::core {

namespace {

using Line = std::vector<std::string>;

const std::string kMissing = "–";
constexpr const char* kMeaning =
    "Cold: nothing of earlier compiles is there. Warm: the kernels of the first compile are. What "
    "is compiled side by side counts once, with the time until all of it is there; where it goes "
    "is the sum over programs. ≤: programs come from several calls of the compiler, which are "
    "added up, or the row does not say; in one go they might have taken less. Kernels of "
    "QuantScope are compiled and tried on the device once and kept: a warm start makes none. Load "
    "+ first call: from finished packages to the end of the first pass. A cell wins after the "
    "passes in which what it gains over its speed baseline is what it begins later; the interval "
    "is that of the gain.";
constexpr const char* kRegionMeaning =
    "Each region by itself, one call: as a package against the same operations run eagerly, timed "
    "apart from the passes. Above 100 % of the memory rate, its data stays in a cache. Equal: both "
    "gave the same bits; allclose: |a - b| ≤ 1e-3 · (1 + |b|) everywhere.";
constexpr const char* kFusedMeaning =
    "What stages in kernels of QuantScope consist of: equal groups of operations are one line, "
    "with "
    "the module of the first. Shape: the fastest of those that were tried on this device and "
    "driver. Without a kernel, PyTorch launches the operation.";
constexpr int kDigits = 3;
constexpr double kGiga = 1e9;

std::string yesOrNo(bool value)
{
    return value ? "yes" : "no";
}

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
              "Compiled",
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
              compileSecondsText(cost, CompileStart::Cold),
              parts.empty() ? kMissing : parts,
              compileSecondsText(cost, CompileStart::Warm),
              compilationsText(cost.compilations),
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

PlainTable costTable(const Analysis& analysis, const std::vector<CellGates>& gates)
{
    const bool expected = anyExpected(gates);
    PlainTable table{headOf(expected), {}};
    for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
        if (analysis.cells[i].compileCost)
            table.lines.push_back(lineOf(analysis, analysis.labels, analysis.cells[i],
                                         expected ? &gates[i] : nullptr));
    }
    return table;
}

PlainTable regionTable(const Analysis& analysis)
{
    PlainTable table{{"Cell", "Batch", "Stage", "Region", "Calls", "Eager", "Compiled", "Launch",
                      "Speed-up", "Bytes", "GB/s", "Of memory rate", "Equal", "allclose 1e-3",
                      "Max |Δ|"},
                     {}};
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        for (const RegionSpeed& speed : regionSpeeds(*summary.compileCost)) {
            const auto& numerics = speed.time.numerics;
            table.lines.push_back(
                {analysis.labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                 speed.stage, speed.kind, std::to_string(speed.calls),
                 formatSeconds(speed.time.eagerSeconds), formatSeconds(speed.time.compiledSeconds),
                 speed.time.launchSeconds ? formatSeconds(*speed.time.launchSeconds) : kMissing,
                 formatSignificant(speed.speedup, kDigits) + "×",
                 formatBytes(static_cast<double>(speed.time.bytes)),
                 formatSignificant(speed.bytesPerSecond / kGiga, kDigits),
                 speed.ofMemoryRate ? formatSignificant(*speed.ofMemoryRate * 100.0, kDigits) + " %"
                                    : kMissing,
                 numerics ? yesOrNo(numerics->equal) : kMissing,
                 numerics ? yesOrNo(numerics->close) : kMissing,
                 numerics ? formatSignificant(numerics->largestDifference, kDigits) : kMissing});
        }
    }
    return table;
}

PlainTable fusedTable(const Analysis& analysis)
{
    PlainTable table{
        {"Cell", "Batch", "Stage", "First in", "Operations", "Calls", "Kernel", "Shape", "Made in"},
        {}};
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        for (const StageCompile& stage : summary.compileCost->stages) {
            for (const KernelChoice& each : stage.kernels)
                table.lines.push_back(
                    {analysis.labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                     stage.stage, each.module, operationsText(each.operations),
                     std::to_string(each.calls),
                     each.kernel.empty() ? unfusedText(each.why) : each.kernel,
                     each.shape.empty() ? kMissing : each.shape,
                     each.seconds > 0.0 ? formatSeconds(each.seconds) : kMissing});
        }
    }
    return table;
}

}  // namespace

std::string compileSection(const Analysis& analysis, const std::vector<CellGates>& gates)
{
    const PlainTable costs = costTable(analysis, gates);
    if (costs.lines.empty())
        return {};
    std::string text =
        "## Compile cost\n\n" + markdownText(kMeaning) + "\n\n" + markdownOf(costs) + "\n";
    if (const PlainTable regions = regionTable(analysis); !regions.lines.empty())
        text += "### Regions alone\n\n" + markdownText(kRegionMeaning) + "\n\n" +
                markdownOf(regions) + "\n";
    return text;
}

std::string htmlCompile(const Analysis& analysis, const std::vector<CellGates>& gates)
{
    const PlainTable costs = costTable(analysis, gates);
    if (costs.lines.empty())
        return {};
    const auto meaning = [](const char* text) {
        return "<p class=\"dim\">" + htmlText(text) + "</p>\n";
    };
    std::string text =
        "<section id=\"compile\"><h2>Compile cost</h2>\n" + meaning(kMeaning) + htmlOf(costs);
    if (const PlainTable regions = regionTable(analysis); !regions.lines.empty())
        text += "<h3>Regions alone</h3>\n" + meaning(kRegionMeaning) + htmlOf(regions);
    if (const PlainTable fused = fusedTable(analysis); !fused.lines.empty())
        text += "<h3>Fused</h3>\n" + meaning(kFusedMeaning) + "<details><summary>" +
                htmlText(counted(fused.lines.size(), "line")) + "</summary>\n" + htmlOf(fused) +
                "</details>\n";
    return text + "</section>\n";
}

}  // namespace qs::core
