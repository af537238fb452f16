#include "core/report/profiles/resnet_texts.h"

#include "core/base/format.h"
#include "core/report/across_section.h"
#include "core/report/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr double kMilliseconds = 1e3;
constexpr const char* kDash = "–";

// Batches of the document's first script, 128 images: the first batch of each kind, and the mean
// of four, the first among them.
constexpr double kGpuBefore = 59.803;
constexpr double kCpuQuantBefore = 66.179;
constexpr double kGpuQuantBefore = 2685.559;
constexpr double kGpuCompiledBefore = 559.622;
constexpr std::int64_t kDocumentBatch = 256;

std::string orNone(const std::optional<double>& value, const char* form, double factor = 1.0)
{
    return value ? fmt::format(fmt::runtime(form), *value * factor) : std::string(kDash);
}

std::string ratioText(const std::optional<double>& ratio)
{
    return ratio ? fasterOrSlower(*ratio) : std::string(kDash);
}

std::string modesTable(const ResnetRun& run)
{
    MarkdownTable table({"Mode", "Device", "Batch", "Weights (MiB)", "Time (ms)", "First call (ms)",
                         "Conversion (ms)", "Against fp32 there", "Mean abs. difference",
                         "Top-1 agreement"});
    for (const CellSummary* cell : profiledCells(run.analysis)) {
        const CellConfig& config = cell->cell->config;
        const auto& all = run.analysis.cells;
        const auto single = std::find_if(all.begin(), all.end(), [&](const CellSummary& each) {
            CellConfig same = config;
            same.precision = {"fp32"};
            same.compile = "none";
            same.layers = each.cell->config.layers;
            return each.cell->config == same && each.cell->rerun == 0;
        });
        const CellSummary* reference = single == all.end() ? nullptr : &*single;
        const OutputDifference difference = run.difference(cell, reference);
        const auto ratio = reference == cell ? std::nullopt : run.ratio(reference, cell);
        table.add(
            {precisionText(config) + (config.compile == "none" ? "" : " " + config.compile),
             config.device, std::to_string(config.batch), orNone(weightMebibytes(cell), "{:.2f}"),
             orNone(run.seconds(cell), "{:.3f}", kMilliseconds),
             orNone(run.firstSeconds(cell), "{:.3f}", kMilliseconds),
             orNone(run.conversionSeconds(cell), "{:.3f}", kMilliseconds), ratioText(ratio),
             orNone(difference.mean, "{:.3g}"), orNone(difference.agreement, "{:.1f} %", 100.0)});
    }
    return "## Modes\n\n" + table.text() +
           "\nTimes are means by the wall clock, after a warm-up at this batch, with the input on "
           "the device. The first call and the conversion of the weights are apart.\n\n";
}

std::string reductionText(const CellSummary* cell, const CellSummary* original)
{
    const auto own = weightMebibytes(cell);
    const auto before = weightMebibytes(original);
    return own && before ? fmt::format("{:.1f} %", 100.0 * (1.0 - *own / *before)) : kDash;
}

std::string methodsTable(const ResnetRun& run, const ResnetModes& modes)
{
    MarkdownTable table({"Method", "Memory of weights saved", "Latency against fp32 eager",
                         "Time (ms)", "The document"});
    const auto add = [&](const char* method, const CellSummary* cell, const char* document) {
        table.add({method, reductionText(cell, modes.original),
                   ratioText(run.ratio(modes.original, cell)),
                   orNone(run.seconds(cell), "{:.3f}", kMilliseconds), document});
    };
    add("FP16", modes.half, "~50 %, 1.5-2x faster");
    add("torch.compile", modes.compiled, "0 %, variable");
    add("FP16 and torch.compile", modes.halfCompiled, kDash);
    return fmt::format("## FP16 and torch.compile, batch {}\n\n", modes.batch) + table.text() +
           "\n";
}

std::string beforeAndAfter(const ResnetRun& run, const ResnetModes& modes)
{
    MarkdownTable table({"Figure", "Before (document)", "This run"});
    const auto row = [&](const char* figure, double before, const std::optional<double>& after) {
        table.add(
            {figure, fmt::format("{:.3f} ms", before), orNone(after, "{:.3f} ms", kMilliseconds)});
    };
    row("GPU time, fp32", kGpuBefore, run.seconds(run.hasGpu ? modes.original : nullptr));
    row("CPU quant time", kCpuQuantBefore, run.seconds(modes.quantized));
    row("GPU quant time, first batch", kGpuQuantBefore, run.firstSeconds(modes.half));
    table.add({"GPU quant time, warm", kDash,
               orNone(run.seconds(modes.half), "{:.3f} ms", kMilliseconds)});
    table.add({"GPU quant against GPU", fasterOrSlower(kGpuBefore / kGpuQuantBefore),
               ratioText(run.ratio(modes.original, modes.half))});
    table.add({"GPU quant against CPU quant", fasterOrSlower(kCpuQuantBefore / kGpuQuantBefore),
               ratioText(run.ratio(modes.quantized, modes.half))});
    row("GPU compiled time, average per batch", kGpuCompiledBefore, run.seconds(modes.compiled));
    table.add({"GPU compiled against GPU", fasterOrSlower(kGpuBefore / kGpuCompiledBefore),
               ratioText(run.ratio(modes.original, modes.compiled))});
    return fmt::format("## Before and after, batch {}\n\n", modes.batch) + table.text() +
           "\nThe document printed \"40.87x (slower!)\" as a speedup. Its average of the compiled "
           "model is of four batches with the first, which compiled. Ratios of this run are of "
           "means, without an interval; reports have those with intervals.\n\n";
}

std::string devicesTable(const ResnetRun& run)
{
    MarkdownTable table({"GPU cell", "GPU is faster than the processor"});
    for (const DeviceCrossover& crossover : deviceCrossovers(run.analysis))
        table.add({crossover.family, crossoverText(crossover)});
    return table.empty() ? std::string() : "## CPU and GPU\n\n" + table.text() + "\n";
}

}  // namespace

std::string fasterOrSlower(double ratio)
{
    return ratio >= 1.0 ? fmt::format("{:.2f}x faster", ratio)
                        : fmt::format("{:.2f}x slower", 1.0 / ratio);
}

ProfileText resnetGuide(const ResnetRun& run)
{
    std::string text = "# ResNet precision guide\n\n" + modesTable(run);
    const auto& batches = run.batches;
    const auto found = std::find_if(batches.begin(), batches.end(), [](const ResnetModes& modes) {
        return modes.batch == kDocumentBatch;
    });
    if (!batches.empty() && run.hasGpu) {
        const ResnetModes& modes = found == batches.end() ? batches.back() : *found;
        text += methodsTable(run, modes) + beforeAndAfter(run, modes);
    } else {
        text += "The document's tables of FP16, torch.compile, and before and after are of a GPU: "
                "this run has no cell on one.\n\n";
    }
    return {"precision_guide.md", text + devicesTable(run)};
}

}  // namespace qs::core
