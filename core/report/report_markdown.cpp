#include "core/analysis/batch_limits.h"
#include "core/analysis/cell_label.h"
#include "core/analysis/gates.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/markdown_sections.h"
#include "core/report/markdown_text.h"
#include "core/report/report.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace qs::core {

namespace {

constexpr int kDigits = 4;
const std::string kNothing = "–";

std::string withInterval(double value, const std::optional<Interval>& interval)
{
    const int digits = interval ? supportedDigits(value, *interval) : kDigits;
    std::string text = formatSignificant(value, digits);
    if (interval)
        text += " [" + formatSignificant(interval->lower, digits) + ", " +
                formatSignificant(interval->upper, digits) + "]";
    return text;
}

std::string throughput(const CellSummary& summary)
{
    if (!summary.measured)
        return kNothing;
    return withInterval(summary.throughput, summary.throughputInterval());
}

std::string passTime(const CellSummary& summary)
{
    constexpr int kMostDigits = 3;
    if (!summary.measured)
        return kNothing;
    const auto& interval = summary.secondsInterval;
    return formatSeconds(summary.seconds,
                         interval
                             ? std::min(kMostDigits, supportedDigits(summary.seconds, *interval))
                             : kMostDigits);
}

std::string bytes(const std::optional<std::int64_t>& value)
{
    return value ? formatBytes(static_cast<double>(*value)) : kNothing;
}

std::string stageMemory(const CellSummary& summary, const char* stage)
{
    const auto place = std::find(summary.stageNames.begin(), summary.stageNames.end(), stage);
    if (place == summary.stageNames.end())
        return kNothing;
    return bytes(
        summary.stagePeakBytes[static_cast<std::size_t>(place - summary.stageNames.begin())]);
}

std::string stageTime(const CellSummary& summary, const char* stage)
{
    const auto place = std::find(summary.stageNames.begin(), summary.stageNames.end(), stage);
    if (place == summary.stageNames.end())
        return kNothing;
    return formatSeconds(
        summary.stageSeconds[static_cast<std::size_t>(place - summary.stageNames.begin())]);
}

std::string ssimText(const CellSummary& summary)
{
    if (!summary.ssimMean)
        return summary.cellId == summary.cell->referenceId ? "reference" : kNothing;
    if (summary.identical)
        return "identical";
    return formatSignificant(*summary.ssimMean, 5);
}

// Identical pictures have no finite PSNR: the mean is over the others, and says over how many.
std::string psnrText(const CellSummary& summary)
{
    if (!summary.psnrMean)
        return kNothing;
    const std::string text = formatSignificant(*summary.psnrMean, kDigits);
    return summary.psnrPictures == summary.pictures
               ? text
               : text + " (" + std::to_string(summary.psnrPictures) + " of " +
                     std::to_string(summary.pictures) + ")";
}

std::string noiseText(const CellSummary& summary)
{
    const std::string result = toString(summary.noiseResult);
    if (summary.noiseResult == NoiseResult::Deterministic || !summary.noiseMultiple)
        return result.empty() ? kNothing : result;
    std::string text = formatSignificant(*summary.noiseMultiple, 3) + "×";
    if (summary.worstNoiseMultiple)
        text += ", worst image " + formatSignificant(*summary.worstNoiseMultiple, 3) + "×";
    return summary.noiseResult == NoiseResult::AtFloor ? text + ": " + result : text;
}

std::string goldenText(const CellSummary& summary)
{
    if (!summary.golden)
        return kNothing;
    if (summary.golden->identical)
        return "identical";
    if (summary.cell->trained)
        return formatSignificant(summary.golden->ssimMean, 5);
    const auto& relative = summary.golden->relativeL2;
    return relative ? formatSignificant(*relative, 3) : kNothing;
}

// How the samples of a cell lie, for whoever doubts its time.
std::string samplesSection(const Analysis& analysis)
{
    const CellLabels labels = distinguish(analysis);
    const auto needs = [](const std::optional<double>& value, std::size_t samples) {
        return value ? formatSeconds(*value) : "needs " + std::to_string(samples) + " samples";
    };
    MarkdownTable table({"Cell", "Batch", "Samples", "Mean", "SD", "Min", "p90", "p95", "p99",
                         "Outliers mild/severe", "Lag-1", "Effective n", "Trend", "SM clock",
                         "Discarded"});
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.distribution)
            continue;
        const SampleFigures& samples = *summary.distribution;
        table.add(
            {labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
             std::to_string(samples.count), formatSeconds(samples.mean),
             samples.standardDeviation ? formatSeconds(*samples.standardDeviation) : kNothing,
             formatSeconds(samples.minimum), needs(samples.p90, kSamplesForP90),
             needs(samples.p95, kSamplesForP95), needs(samples.p99, kSamplesForP99),
             std::to_string(samples.outliers.mild) + "/" + std::to_string(samples.outliers.severe),
             formatSignificant(samples.autocorrelation, 2),
             formatSignificant(samples.effectiveCount, 3),
             formatSignificant(samples.trend * 100.0, 2) + " %" +
                 (samples.drifting ? " drifting" : ""),
             summary.device.clockMegahertz
                 ? formatSignificant(*summary.device.clockMegahertz, kDigits) + " MHz"
                 : kNothing,
             std::to_string(summary.device.discards)});
    }
    return table.empty() ? std::string() : "## Samples\n\n" + table.text() + "\n";
}

std::string baselineText(const Analysis& analysis, const CellLabels& labels,
                         const CellSummary& summary)
{
    const CellSummary* baseline = analysis.find(summary.baselineId);
    return baseline == nullptr ? kNothing : labels.of(*baseline->cell);
}

// What a configuration has besides precision, compile mode and batch; in the head of its table.
std::string groupOf(const CellConfig& config)
{
    std::string text = config.model + ", " + std::to_string(config.imageSize) + " px, " +
                       config.device + ", attention " + config.attention;
    if (config.layers != "all")
        text += ", layers " + config.layers;
    if (config.inputs != "device")
        text += ", inputs " + config.inputs;
    return text + ", seed " + std::to_string(config.seed);
}

std::string verdictText(const CellSummary& summary)
{
    if (!summary.claim || summary.claim->verdict == Verdict::TooFewRounds)
        return kNothing;
    return std::string(toString(summary.claim->verdict)) +
           (summary.claim->provisional ? " so far" : "");
}

MarkdownTable resultTable(bool trained, bool gates)
{
    const std::string untrained = "Numeric deviation (untrained weights): ";
    std::vector<std::string> head({"Cell",
                                   "Executed",
                                   "Batch",
                                   "Images/s",
                                   "Per pass",
                                   "Encoder",
                                   "Decoder",
                                   "Speed-up",
                                   "Verdict",
                                   "against",
                                   "Memory",
                                   "Encoder memory",
                                   "Decoder memory",
                                   "Weights",
                                   "Rounds",
                                   trained ? "SSIM" : untrained + "SSIM",
                                   trained ? "PSNR (dB)" : untrained + "PSNR (dB)",
                                   "× noise floor",
                                   trained ? "SSIM to fp32" : untrained + "relative L2 to fp32",
                                   "Status"});
    if (gates)
        head.emplace_back("Gates");
    return MarkdownTable(std::move(head));
}

// `gates`: null if the run has none.
void addResult(MarkdownTable& table, const Analysis& analysis, const CellLabels& labels,
               const CellSummary& summary, const CellGates* gates)
{
    const MemoryFigures& memory = summary.memory;
    std::vector<std::string> line(
        {labels.of(*summary.cell),
         summary.measured ? executedText(summary.executed) : kNothing,
         std::to_string(summary.cell->config.batch),
         throughput(summary),
         passTime(summary),
         stageTime(summary, "encoder"),
         stageTime(summary, "decoder"),
         summary.speedup ? withInterval(*summary.speedup, summary.speedupInterval) + "×" : kNothing,
         verdictText(summary),
         baselineText(analysis, labels, summary),
         bytes(memory.allocatedPeak ? memory.allocatedPeak : memory.processPeak),
         stageMemory(summary, "encoder"),
         stageMemory(summary, "decoder"),
         summary.measured ? bytes(memory.weightsResident) : kNothing,
         std::to_string(summary.roundsOk) + "/" + std::to_string(summary.roundsPlanned),
         ssimText(summary),
         psnrText(summary),
         noiseText(summary),
         goldenText(summary),
         std::string(name(summary.status))});
    if (gates != nullptr)
        line.push_back(gates->empty() ? kNothing : gatesText(*gates));
    table.add(std::move(line));
}

std::string results(const Analysis& analysis, const std::vector<CellGates>& gates, bool hasGates)
{
    const CellLabels labels = distinguish(analysis);
    // In the order in which they occur: a plan may have thousands.
    std::vector<std::pair<std::string, MarkdownTable>> groups;
    std::map<std::pair<std::string, bool>, std::size_t> places;
    for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
        const CellSummary& summary = analysis.cells[i];
        const std::string group = groupOf(summary.cell->config);
        const bool trained = summary.cell->trained;
        const auto [place, isNew] = places.try_emplace({group, trained}, groups.size());
        if (isNew)
            groups.emplace_back(group, resultTable(trained, hasGates));
        addResult(groups[place->second].second, analysis, labels, summary,
                  hasGates ? &gates[i] : nullptr);
    }
    std::string text = "## Results\n\n";
    for (const auto& [group, table] : groups)
        text += "### " + markdownText(group) + "\n\n" + table.text() + "\n";
    return text;
}

// Each gate with the number of cells that it passed, failed, could not decide and could not judge.
std::string gatesSection(const std::vector<Gate>& gates, const std::vector<CellGates>& results)
{
    MarkdownTable table(
        {"Gate", "Cells that pass", "Cells that fail", "Undecided", "Not testable"});
    for (const Gate& gate : gates) {
        CellGates ofGate;
        for (const CellGates& cell : results)
            std::copy_if(cell.begin(), cell.end(), std::back_inserter(ofGate),
                         [&](const GateResult& result) { return result.gate == gate; });
        const GateCounts counts = countGates(ofGate);
        table.add({gateText(gate), std::to_string(counts.passed), std::to_string(counts.failed),
                   std::to_string(counts.undecided), std::to_string(counts.notTestable)});
    }
    return table.empty() ? std::string() : "## Gates\n\n" + table.text() + "\n";
}

std::string failures(const Analysis& analysis)
{
    const CellLabels labels = distinguish(analysis);
    MarkdownTable table({"Cell", "Batch", "Status", "Reason"});
    for (const CellSummary& summary : analysis.cells) {
        const std::string batch = std::to_string(summary.cell->config.batch);
        if (summary.status != CellStatus::Ok)
            table.add({labels.of(*summary.cell), batch, std::string(name(summary.status)),
                       reasonText(summary)});
        for (const Note& doubt : summary.doubts)
            table.add({labels.of(*summary.cell), batch, "warning", noteText(doubt)});
    }
    return table.empty() ? std::string() : "## Failed cells\n\n" + table.text() + "\n";
}

std::string notes(const Analysis& analysis)
{
    const CellLabels labels = distinguish(analysis);
    MarkdownTable table({"Cell", "Batch", "Note"});
    for (const CellSummary& summary : analysis.cells) {
        for (const Note& note : summary.notes)
            table.add({labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                       noteText(note)});
    }
    return table.empty() ? std::string() : "## Notes\n\n" + table.text() + "\n";
}

std::string limits(const Analysis& analysis)
{
    MarkdownTable table(
        {"Family", "Largest batch that fits", "Batch of best throughput", "Images/s"});
    for (const BatchLimits& each : batchLimits(analysis)) {
        if (each.cellIds.size() < 2 || !each.bestThroughputBatch)
            continue;
        table.add({each.family,
                   each.largestFitting ? std::to_string(*each.largestFitting) : "not reached",
                   std::to_string(*each.bestThroughputBatch),
                   withInterval(each.bestThroughput, each.bestThroughputInterval)});
    }
    return table.empty() ? std::string() : "## Batch limits\n\n" + table.text() + "\n";
}

std::string heading(const RunData& data, const Analysis& analysis)
{
    const Preset& preset = data.plan.preset;
    const auto measured =
        std::count_if(analysis.cells.begin(), analysis.cells.end(),
                      [](const CellSummary& summary) { return summary.measured; });
    int rounds = 0;
    for (const CellSummary& summary : analysis.cells)
        rounds = std::max(rounds, summary.roundsPlanned);
    std::string text = "# " + markdownText(preset.name.empty() ? "Sweep" : preset.name) + "\n\n";
    if (!preset.description.empty())
        text += markdownText(preset.description) + "\n\n";
    text += std::to_string(measured) + " of " + std::to_string(analysis.cells.size()) +
            " cells measured, up to " + counted(static_cast<std::uint64_t>(rounds), "round") +
            " each, " + counted(analysis.rows.count, "row");
    if (analysis.rows.count > 0)
        text += ", from " + markdownText(analysis.rows.firstStartedAt) + " to " +
                markdownText(analysis.rows.lastStartedAt);
    return text +
           ".\n\nTimes are medians over rounds of the medians of a round; brackets hold 95 % "
           "intervals over rounds, of geometric means, and are absent below three rounds. "
           "Speed-ups are geometric means of paired rounds. FASTER and SLOWER are differences "
           "beyond 0.5 % with a p-value below 0.4 %, Holm-corrected over all comparisons of the "
           "run; SAME are intervals within 1 %. SSIM: Wang 2004, Gaussian 11 × 11, σ 1.5, valid, "
           "mean RGB, against the bf16 eager cell of the same shape. PSNR is the mean over images "
           "that differ, with their number if some are identical.\n\n";
}

}  // namespace

std::string summaryMarkdown(const RunData& data, const Analysis& analysis)
{
    const std::vector<Gate>& gates = data.plan.preset.gates;
    const std::vector<CellGates> judged = evaluateGates(data, analysis);
    return heading(data, analysis) + warningsSection(data, analysis) +
           results(analysis, judged, !gates.empty()) + gatesSection(gates, judged) +
           failures(analysis) + memorySection(analysis) + limits(analysis) +
           looksSection(data, analysis) + samplesSection(analysis) + deviceSection(analysis) +
           noiseFloorSection(analysis) + costSection(data, analysis) + notes(analysis) +
           environmentSection(data);
}

}  // namespace qs::core
