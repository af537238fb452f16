#include "core/report/profiles/gptq_summary.h"

#include "core/report/markdown_text.h"
#include "core/report/profiles/gptq_layer_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr double kGigabyte = 1e9;
constexpr double kPercentOf = 100.0;
constexpr const char* kNoText = "–";

// "14m 33.4s" as the benchmark writes it, "34.9s"; of little models "0.181s".
std::string durationText(double seconds)
{
    const double tenths = std::round(seconds * 10.0);  // so that no minute has 60.0 s
    if (tenths >= 600.0)
        return fmt::format("{:.0f}m {:.1f}s", std::floor(tenths / 600.0),
                           std::fmod(tenths, 600.0) / 10.0);
    return tenths >= 100.0 ? fmt::format("{:.1f}s", seconds) : fmt::format("{:.3g}s", seconds);
}

std::string wayText(GptqWay way)
{
    switch (way) {
    case GptqWay::Straight:
        return "baseline";
    case GptqWay::Improved:
        return "improved";
    case GptqWay::Compiled:
        return "compiled";
    case GptqWay::Kernel:
        return "own kernel";
    }
    return {};
}

using Peak = std::optional<std::int64_t> MemoryFigures::*;

double peakOf(const GptqCell* cell, Peak peak)
{
    return cell == nullptr ? 0.0 : static_cast<double>((cell->summary->memory.*peak).value_or(0));
}

// In % of what the baseline takes at most.
std::string overheadText(const GptqCell& cell, const GptqCell* baseline, Peak peak)
{
    const double before = peakOf(baseline, peak);
    const double now = peakOf(&cell, peak);
    if (&cell == baseline || before <= 0.0 || now <= 0.0)
        return kNoText;
    return fmt::format("{:+.2f} %", (now / before - 1.0) * kPercentOf);
}

std::string deviationText(const Moments& moments)
{
    return moments.count() > 1 ? fmt::format("{:.3g} s (CV {:.2f} %)", moments.standardDeviation(),
                                             moments.coefficientOfVariation() * kPercentOf)
                               : kNoText;
}

// Each further graph of the one function that is compiled.
std::string recompilesText(const GptqCell& cell)
{
    return cell.dynamo ? std::to_string(std::max<std::int64_t>(0, cell.dynamo->uniqueGraphs - 1))
                       : kNoText;
}

std::vector<std::string> modeLine(const GptqCell& cell, const GptqCell* baseline)
{
    const Moments moments = momentsOf(cell.seconds);
    const std::optional<double> first = cell.firstRun();
    const bool timed = moments.count() > 0;
    const bool compared = timed && baseline != nullptr && !baseline->seconds.empty();
    const double peak = peakOf(&cell, &MemoryFigures::allocatedPeak);
    return {wayText(cell.way),
            first ? durationText(*first) : kNoText,
            timed ? durationText(moments.mean()) : whyNoFigures(*cell.summary),
            deviationText(moments),
            timed && first && cell.compiles() ? durationText(*first - moments.mean()) : kNoText,
            compared ? fmt::format("{:.3g}x", momentsOf(baseline->seconds).mean() / moments.mean())
                     : kNoText,
            peak > 0.0 ? fmt::format("{:.2f} GB", peak / kGigabyte) : kNoText,
            recompilesText(cell),
            cell.logitDifference ? fmt::format("{:.3g}", *cell.logitDifference) : kNoText};
}

std::string memoryTable(const GptqScenario& scenario)
{
    MarkdownTable table({"Mode", "Peak allocated", "Overhead", "Peak reserved", "Overhead"});
    for (const GptqCell& cell : scenario.cells) {
        std::vector<std::string> line{wayText(cell.way)};
        for (const Peak peak : {&MemoryFigures::allocatedPeak, &MemoryFigures::reservedPeak}) {
            const double bytes = peakOf(&cell, peak);
            line.push_back(bytes > 0.0 ? fmt::format("{:.2f} GB", bytes / kGigabyte) : kNoText);
            line.push_back(overheadText(cell, scenario.baseline(), peak));
        }
        table.add(line);
    }
    return table.text();
}

// By the price that the preset names, or why there is none.
std::string costTable(const GptqScenario& scenario, const Price& price)
{
    if (price.empty())
        return "\n## Cost\n\nNot known: neither the preset nor --price names what an hour of the "
               "device costs (2.5:USD).\n";
    const auto cost = [&](const std::optional<double>& seconds) {
        return seconds ? fmt::format("{:.4g} {}", price.of(*seconds), price.currency) : kNoText;
    };
    MarkdownTable table({"Mode", "First Run", "Warm Run"});
    for (const GptqCell& cell : scenario.cells) {
        const Moments moments = momentsOf(cell.seconds);
        table.add({wayText(cell.way), cost(cell.firstRun()),
                   cost(moments.count() > 0 ? std::optional(moments.mean()) : std::nullopt)});
    }
    return "\n## Cost\n\n" + table.text();
}

std::string layersText(const GptqScenario& scenario)
{
    const PlainTable table =
        layerTypesTable(scenario, "Mode", [](const GptqCell& cell) { return wayText(cell.way); });
    return table.lines.empty() ? std::string() : "\n## By layer type\n\n" + markdownOf(table);
}

}  // namespace

std::string gptqSummary(const GptqScenario& scenario, const Price& price)
{
    MarkdownTable table({"Mode", "First Run", "Warm Avg", "Stddev", "Compile OH", "Speedup",
                         "Peak Mem", "Recompiles", "max_abs_diff"});
    for (const GptqCell& cell : scenario.cells)
        table.add(modeLine(cell, scenario.baseline()));
    const bool trained = scenario.cells.front().summary->cell->trained;
    return "# " + markdownText(scenario.name) + "\n\n" + table.text() +
           "\nBaseline goes through the columns as llm-compressor writes it; improved does the "
           "same by updates in place; compiled by a program that Inductor compiled once for "
           "layers of every size. First Run is Run 1, the first after those that are discarded; of "
           "what is compiled the first sample of a process and compiling before it, and Compile OH "
           "what that takes more. Recompiles are counted by Dynamo, which does not "
           "run here: they stand only where another program's results lie with the run. "
           "max_abs_diff is of the logits, from those of the baseline" +
           std::string(trained ? "" : ": a numeric deviation, of random weights or inputs") +
           ". A dash is a figure that the run "
           "does not have.\n\n"
           "## Memory\n\n" +
           memoryTable(scenario) + costTable(scenario, price) + layersText(scenario);
}

std::string gptqOverview(const std::vector<GptqScenario>& scenarios, const Price& price)
{
    std::string text;
    for (const GptqScenario& scenario : scenarios) {
        if (!scenario.answers)
            text += "\n#" + gptqSummary(scenario, price);
    }
    return "# GPTQ\n" +
           (text.empty() ? "\nNo cell of this run has the workload quantize.\n" : text);
}

}  // namespace qs::core
