#include "core/report/markdown_sections.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/cost.h"
#include "core/base/format.h"
#include "core/report/environment_text.h"
#include "core/report/markdown_text.h"
#include "core/report/words/environment_field_text.h"
#include "core/report/words/warning_text.h"
#include "core/sweep/metric.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

namespace {

constexpr int kSectionDigits = 4;
const std::string kNoFigure = "–";

std::string whatDiffers(const std::vector<Environment>& environments)
{
    std::vector<std::string> head{"Field"};
    for (std::size_t i = 0; i < environments.size(); ++i)
        head.push_back("Environment " + std::to_string(i + 1));
    head.emplace_back("May affect");
    MarkdownTable table(head);
    for (const EnvironmentField& field : compareEnvironments(environments)) {
        if (!field.differs)
            continue;
        std::vector<std::string> line{fieldName(field)};
        for (const std::string& value : fieldValues(field))
            line.push_back(value.empty() ? kNoFigure : value);
        line.push_back(effectText(effectOf(field.fact)));
        table.add(line);
    }
    return table.empty() ? std::string()
                         : "### Differences\n\nRows of different environments are never combined "
                           "in a ratio.\n\n" +
                               table.text() + "\n";
}

}  // namespace

std::string costSection(const RunData& data, const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    const auto all = costOfRun(data.plan.preset.price, analysis);
    if (!all)
        return {};
    const Price& price = data.plan.preset.price;
    const std::string currency = " (" + price.currency + ")";
    MarkdownTable table(
        {"Cell", "Batch", "Device", "This run" + currency, "Unit", "A million units" + currency});
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cost)
            table.add({labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                       summary.cell->config.device,
                       formatSignificant(summary.cost->run, kSectionDigits),
                       std::string(name(summary.cell->unit)),
                       summary.cost->perMillionUnits
                           ? formatSignificant(*summary.cost->perMillionUnits, kSectionDigits)
                           : kNoFigure});
    }
    return "## Cost\n\nAt " +
           markdownText(formatExact(price.perDeviceHour) + " " + price.currency) +
           " per device hour, as entered; the rows of this run took " +
           markdownText(formatSignificant(*all, kSectionDigits) + " " + price.currency) +
           ". The cost of a million images, tokens or samples is from the end-to-end throughput "
           "where "
           "the host-to-device copy was measured, else from the time per pass; without "
           "loading.\n\n" +
           table.text() + "\n";
}

std::string energyText(const CellSummary& summary)
{
    const auto joules = summary.joulesPerUnit();
    if (!joules)
        return summary.device.energyWindowTooShort ? "window too short" : kNoFigure;
    return formatSignificant(*joules, 3) + " J/" + std::string(name(summary.cell->unit)) +
           " over " + formatSignificant(summary.device.energyWindowSeconds.value_or(0.0), 3) + " s";
}

std::string deviceSection(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    MarkdownTable table({"Cell", "Batch", "Inputs", "Input copy", "End to end (units/s)",
                         "Throttled", "Max. temperature", "Energy"});
    for (const CellSummary& summary : analysis.cells) {
        const DeviceFigures& device = summary.device;
        if (!device.slowedShare && !device.maximumCelsius && !device.endToEndSeconds)
            continue;
        const CellConfig& config = summary.cell->config;
        const std::optional<double> endToEnd = summary.endToEndThroughput();
        table.add({labels.of(*summary.cell), std::to_string(config.batch), config.inputs,
                   device.copySeconds          ? formatSeconds(*device.copySeconds)
                   : config.inputs == "device" ? "on the device"
                                               : kNoFigure,
                   endToEnd ? formatSignificant(*endToEnd, kSectionDigits) : kNoFigure,
                   device.slowedShare
                       ? formatSignificant(100.0 * *device.slowedShare, 3) + " % of the time"
                       : kNoFigure,
                   device.maximumCelsius ? formatSignificant(*device.maximumCelsius, 3) + " °C"
                                         : kNoFigure,
                   energyText(summary)});
    }
    return table.empty() ? std::string()
                         : "## Device\n\nDuring the samples. Energy is that of the whole device "
                           "from its own counter, over at least 2 s: of separate passes where the "
                           "sweep has an energy time, else of the samples. No energy is reported "
                           "when the cache is flushed before each pass.\n\n" +
                               table.text() + "\n";
}

std::string memorySection(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    const auto bytes = [](const std::optional<std::int64_t>& value) {
        return value ? formatBytes(static_cast<double>(*value)) : kNoFigure;
    };
    const bool recorded =
        std::any_of(analysis.cells.begin(), analysis.cells.end(), [](const CellSummary& summary) {
            return summary.memory.graphPool.has_value();
        });
    std::vector<std::string> head{"Cell",
                                  "Batch",
                                  "Allocated peak",
                                  "Reserved peak",
                                  "Process peak",
                                  "Weights in memory",
                                  "Weights on disk",
                                  "Workspace"};
    if (recorded)
        head.emplace_back("CUDA graphs");
    MarkdownTable table(std::move(head));
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.measured)
            continue;
        const MemoryFigures& memory = summary.memory;
        std::vector<std::string> line{labels.of(*summary.cell),
                                      std::to_string(summary.cell->config.batch),
                                      bytes(memory.allocatedPeak),
                                      bytes(memory.reservedPeak),
                                      bytes(memory.processPeak),
                                      memory.weightsResident > 0 ? bytes(memory.weightsResident)
                                                                 : kNoFigure,
                                      bytes(summary.weightsFileBytes),
                                      bytes(workspaceBytes(memory))};
        if (recorded)
            line.push_back(bytes(memory.graphPool));
        table.add(std::move(line));
    }
    return table.empty() ? std::string()
                         : "## Memory\n\nMaximum over all rounds. Workspace is the allocated peak "
                           "without the weights: activations, inputs, outputs and scratch.\n\n" +
                               table.text() + "\n";
}

namespace {

// The run, with those that have not been seen or never will be.
std::string setByText(const Analysis& analysis, const CellLabels& labels, const NoiseFloor& floor)
{
    const CellSummary* setBy = analysis.find(floor.setBy);
    std::string text = setBy == nullptr ? kNoFigure : labels.of(*setBy->cell);
    if (setBy != nullptr && !floor.complete())
        text += ", of " + std::to_string(floor.seen) + " of " + std::to_string(floor.planned) +
                " runs: not final";
    for (const FailedFloorRun& run : floor.failed)
        text += "; " + labels.of(*analysis.find(run.cellId)->cell) +
                " is missing: " + std::string(name(run.status));
    return text;
}

std::string distanceText(const NoiseFloor& floor)
{
    if (floor.setBy.empty())
        return kNoFigure;
    if (floor.deterministic)
        return "deterministic";
    std::string distance = formatSignificant(floor.distance, kSectionDigits);
    if (floor.finer)
        distance += " and " + formatSignificant(floor.finer->mean, kSectionDigits);
    return floor.referenceRepeats == false
               ? distance + "; the reference is not repeatable between rounds"
               : distance;
}

}  // namespace

namespace {

// "1 - SSIM", "1 - Top-1 agreement and KL divergence": what the distance of outputs is.
std::string distanceMetric(const NoiseFloor& floor, OutputKind kind)
{
    const auto text = [](const OutputMetric& metric) {
        return metric.better == Better::Higher ? "1 - " + metric.title : metric.title;
    };
    const OutputMetric* finer = floor.finer ? metricRegistry().finerDistanceOf(kind) : nullptr;
    return text(metricRegistry().distanceOf(kind)) +
           (finer != nullptr ? " and " + text(*finer) : "");
}

}  // namespace

std::string noiseFloorSection(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    MarkdownTable table({"Reference", "Batch", "Distance", "Metric", "Set by"});
    for (const NoiseFloor& floor : analysis.floors) {
        const CellSummary* reference = analysis.find(floor.referenceId);
        if (reference == nullptr || (floor.setBy.empty() && floor.failed.empty()))
            continue;
        table.add({labels.of(*reference->cell), std::to_string(reference->cell->config.batch),
                   distanceText(floor), distanceMetric(floor, reference->cell->output),
                   setByText(analysis, labels, floor)});
    }
    return table.empty() ? std::string() : "## Noise floor\n\n" + table.text() + "\n";
}

std::string looksSection(const RunData& data, const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    const std::vector<Look>& looks = data.plan.looks;
    if (looks.empty())
        return {};
    MarkdownTable table({"Interim analysis", "Added rounds", "Undecided comparisons"});
    table.add({"1", "as planned", kNoFigure});
    for (std::size_t i = 0; i < looks.size(); ++i) {
        std::string cells;
        for (const std::string& id : looks[i].cellIds) {
            const CellSummary* summary = analysis.find(id);
            cells += (cells.empty() ? "" : "; ") +
                     (summary == nullptr ? id
                                         : labels.of(*summary->cell) + ", batch " +
                                               std::to_string(summary->cell->config.batch));
        }
        table.add({std::to_string(i + 2), std::to_string(looks[i].rounds.count), cells});
    }
    return "## Interim analyses\n\n" + std::to_string(looks.size() + 1) +
           " interim analyses: undecided comparisons got further rounds. Each interim analysis of "
           "a comparison has "
           "a quarter of the error rate of the previous one, so that together they stay below 1 "
           "%.\n\n" +
           table.text() + "\n";
}

std::string environmentSection(const RunData& data)
{
    MarkdownTable table({"Program", "PyTorch", "CUDA", "System", "Host", "Processor", "Devices"});
    for (const Environment& each : data.environments) {
        std::string devices;
        for (const DeviceDescription& device : each.devices)
            devices += (devices.empty() ? "" : "; ") + deviceLine(each, device);
        table.add({each.program, each.torch, each.cuda.empty() ? kNoFigure : each.cuda, each.system,
                   each.host, each.processor + ", " + std::to_string(each.threads) + " threads",
                   devices});
    }
    std::string text = "## Environment\n\n" + table.text() + "\n";
    const std::size_t count = data.environments.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<std::string> lines = environmentLines(data.environments[i]);
        if (!lines.empty() && count > 1)
            text += "Environment " + std::to_string(i + 1) + ":\n\n";
        for (const std::string& line : lines)
            text += "* " + markdownText(line) + "\n";
        text += lines.empty() ? "" : "\n";
    }
    return text + whatDiffers(data.environments);
}

std::string warningsSection(const RunData& data, const Analysis& analysis)
{
    std::string text;
    for (const std::string& warning : allWarnings(data, analysis))
        text += "**Warning**: " + markdownText(warning) + "\n\n";
    return text;
}

}  // namespace qs::core
