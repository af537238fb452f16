#include "core/analysis/cell_label.h"
#include "core/analysis/gates.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/across_section.h"
#include "core/report/claims_section.h"
#include "core/report/combined_section.h"
#include "core/report/compile_section.h"
#include "core/report/compiled_share_section.h"
#include "core/report/first_samples_section.h"
#include "core/report/guardrail_section.h"
#include "core/report/markdown_sections.h"
#include "core/report/markdown_text.h"
#include "core/report/profiles/gptq_layer_types.h"
#include "core/report/rates_section.h"
#include "core/report/reference_section.h"
#include "core/report/report.h"
#include "core/report/texts_section.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "core/report/words/reading_text.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <iterator>

namespace qs::core {

namespace {

constexpr int kDigitsOfFigures = 4;
const std::string kNothing = "–";

// How the samples of a cell lie, for whoever doubts its time.
std::string samplesSection(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
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
                 ? formatSignificant(*summary.device.clockMegahertz, kDigitsOfFigures) + " MHz"
                 : kNothing,
             std::to_string(summary.device.discards)});
    }
    return table.empty() ? std::string() : "## Samples\n\n" + table.text() + "\n";
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
    const CellLabels& labels = analysis.labels;
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
    const CellLabels& labels = analysis.labels;
    MarkdownTable table({"Cell", "Batch", "Note"});
    for (const CellSummary& summary : analysis.cells) {
        for (const Note& note : summary.notes)
            table.add({labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                       noteText(note)});
    }
    return table.empty() ? std::string() : "## Notes\n\n" + table.text() + "\n";
}

std::string heading(const RunData& data, const Analysis& analysis)
{
    const Preset& preset = data.plan.preset;
    std::string text = "# " + markdownText(preset.name.empty() ? "Sweep" : preset.name) + "\n\n";
    if (!preset.description.empty())
        text += markdownText(preset.description) + "\n\n";
    return text + markdownText(countsText(analysis)) + "\n\n";
}

}  // namespace

std::string summaryMarkdown(const RunData& data, const Analysis& analysis)
{
    const std::vector<Gate>& gates = data.plan.preset.gates;
    const std::vector<CellGates> judged = evaluateGates(data, analysis);
    return heading(data, analysis) + answerSection(analysis) + warningsSection(data, analysis) +
           claimsSection(analysis) + markdownOf(combinedSection(analysis)) +
           markdownOf(acrossSection(analysis)) + markdownOf(settingsSection(analysis)) +
           markdownOf(guardrailSection(analysis)) + markdownOf(ratesSection(analysis)) +
           markdownOf(compiledShareSection(analysis)) + pivotSection(analysis) +
           "## How to read this\n\n" + markdownText(explanationText(analysis)) + "\n\n" +
           resultsSection(analysis, judged, !gates.empty()) + gatesSection(gates, judged) +
           failures(analysis) + markdownOf(textsSection(data, analysis)) +
           referenceSection(data, analysis) + compileSection(analysis, judged) +
           markdownOf(layerTypesSection(data, analysis)) +
           markdownOf(firstSamplesSection(analysis)) + memorySection(analysis) +
           markdownOf(batchLimitsSection(analysis)) + looksSection(data, analysis) +
           samplesSection(analysis) + deviceSection(analysis) + noiseFloorSection(analysis) +
           costSection(data, analysis) + notes(analysis) + environmentSection(data);
}

}  // namespace qs::core
