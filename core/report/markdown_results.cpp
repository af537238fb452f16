#include "core/analysis/cell_label.h"
#include "core/analysis/metric_values.h"
#include "core/base/format.h"
#include "core/model/family_registry.h"
#include "core/report/markdown_sections.h"
#include "core/report/markdown_text.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/stage_text.h"
#include "core/report/words/verdict_text.h"
#include "core/stats/summary.h"
#include "core/sweep/worker_variables.h"

#include <algorithm>
#include <map>
#include <utility>

namespace qs::core {

namespace {

const std::string kNoResult = "–";

std::string throughput(const CellSummary& summary)
{
    if (!summary.measured)
        return kNoResult;
    return withInterval(summary.throughput, summary.throughputInterval());
}

std::string passTime(const CellSummary& summary)
{
    constexpr int kMostDigits = 3;
    if (!summary.measured)
        return kNoResult;
    const auto& interval = summary.secondsInterval;
    return formatSeconds(summary.seconds,
                         interval
                             ? std::min(kMostDigits, supportedDigits(summary.seconds, *interval))
                             : kMostDigits);
}

std::string bytes(const std::optional<std::int64_t>& value)
{
    return value ? formatBytes(static_cast<double>(*value)) : kNoResult;
}

// A figure of a stage by its name.
template <typename Value>
std::optional<Value> ofStage(const CellSummary& summary, const std::string& stage,
                             const std::vector<Value>& values)
{
    const auto place = std::find(summary.stageNames.begin(), summary.stageNames.end(), stage);
    const auto index = static_cast<std::size_t>(place - summary.stageNames.begin());
    return index < values.size() ? std::optional(values[index]) : std::nullopt;
}

std::string outputText(const OutputMetric& metric, const CellSummary& summary)
{
    if (summary.cell->referenceId == summary.cellId)
        return "reference";
    if (!summary.quality || (metric.needsTraining && !summary.cell->trained))
        return kNoResult;
    if (summary.identical())
        return "identical";
    const auto found = summary.quality->metrics.find(metric.name);
    if (found == summary.quality->metrics.end())
        return kNoResult;
    const MetricFigure& figure = found->second;
    const std::string text = formatSignificant(figure.mean, metric.digits);
    const std::size_t outputs = summary.quality->samples.size();
    // Equal images have no finite PSNR: the mean is over the others, and says over how many.
    return figure.samples == outputs ? text
                                     : text + " (" + std::to_string(figure.samples) + " of " +
                                           std::to_string(outputs) + ")";
}

std::string noiseText(const CellSummary& summary)
{
    const std::string result = toString(summary.noiseResult);
    if (summary.noiseResult == NoiseResult::Deterministic || !summary.noiseMultiple)
        return result.empty() ? kNoResult : result;
    std::string text = formatSignificant(*summary.noiseMultiple, 3) + "×";
    if (summary.worstNoiseMultiple)
        text += ", worst output " + formatSignificant(*summary.worstNoiseMultiple, 3) + "×";
    return summary.noiseResult == NoiseResult::AtFloor ? text + ": " + result : text;
}

// The distance of the kind of output; relative L2 says something of untrained weights, too.
const OutputMetric& goldenMetric(OutputKind kind, bool trained)
{
    const OutputMetric& distance = metricRegistry().distanceOf(kind);
    return trained || !distance.needsTraining ? distance
                                              : *metricRegistry().findOutput("relative_l2");
}

std::string goldenText(const CellSummary& summary)
{
    if (!summary.golden)
        return kNoResult;
    if (summary.golden->figures.identical)
        return "identical";
    const OutputMetric& metric = goldenMetric(summary.cell->output, summary.cell->trained);
    const auto mean = summary.golden->figures.mean(metric.name);
    return mean ? formatSignificant(*mean, metric.digits) : kNoResult;
}

std::string baselineText(const Analysis& analysis, const CellLabels& labels,
                         const CellSummary& summary)
{
    const CellSummary* baseline = analysis.find(summary.baselineId);
    return baseline == nullptr ? kNoResult : labels.of(*baseline->cell);
}

// What a configuration has besides precision, compile mode and batch; in the head of its table.
std::string groupOf(const CellConfig& config)
{
    std::string text = config.model + ", " + sizesText(config.sizes) + ", " + config.device +
                       ", attention " + config.attention;
    if (config.layers != "all")
        text += ", layers " + config.layers;
    if (config.inputs != "device")
        text += ", inputs " + config.inputs;
    if (config.env != kNoVariables)
        text += ", env " + config.env;
    return text + ", seed " + std::to_string(config.seed);
}

std::string verdictOf(const CellSummary& summary)
{
    const std::string text = summary.claim ? verdictText(*summary.claim) : std::string();
    const std::string outlook = summary.claim ? outlookText(*summary.claim) : std::string();
    if (text.empty())
        return outlook.empty() ? kNoResult : outlook;
    return outlook.empty() ? text : text + ": " + outlook;
}

// What the cells of one table share.
struct ResultGroup {
    std::string title;
    bool trained = false;
    bool compared = false;  // with a quality reference; programs that run as packaged have none
    OutputKind output = OutputKind::Image;
    WorkUnit unit = WorkUnit::Image;
    std::vector<std::string> stages = {};
    std::vector<const OutputMetric*> metrics = {};
    std::vector<const Metric*> ofLabels = {};
    MarkdownTable table{{}};
};

std::string perSecond(WorkUnit unit)
{
    std::string text = std::string(name(unit)) + "s/s";
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

MarkdownTable resultTable(const ResultGroup& group, const Analysis& analysis, bool gates)
{
    const std::string prefix =
        group.trained ? "" : "Numeric deviation (random weights or inputs): ";
    std::vector<std::string> head{"Cell", "Executed", "Batch", perSecond(group.unit), "Per pass"};
    for (const std::string& stage : group.stages)
        head.push_back(stageTitle(stage, analysis));
    for (const char* title : {"Speed-up", "Verdict", "against", "Memory"})
        head.emplace_back(title);
    for (const std::string& stage : group.stages)
        head.push_back(stageTitle(stage, analysis) + " memory");
    head.emplace_back("Weights");
    head.emplace_back("Rounds");
    for (const OutputMetric* metric : group.metrics)
        head.push_back(prefix + metric->title +
                       (metric->unit == MetricUnit::Decibel ? " (dB)" : ""));
    for (const Metric* metric : group.ofLabels)
        head.push_back(metric->title);
    if (group.compared) {
        head.emplace_back("× noise floor");
        head.push_back(prefix + goldenMetric(group.output, group.trained).title + " to fp32");
    }
    head.emplace_back("Status");
    if (gates)
        head.emplace_back("Gates");
    return MarkdownTable(std::move(head));
}

// `gates`: null if the run has none.
void addResult(ResultGroup& group, const Analysis& analysis, const CellLabels& labels,
               const CellSummary& summary, const CellGates* gates)
{
    const MemoryFigures& memory = summary.memory;
    std::vector<std::string> line{
        labels.of(*summary.cell), summary.measured ? executedText(summary.executed) : kNoResult,
        std::to_string(summary.cell->config.batch), throughput(summary), passTime(summary)};
    for (const std::string& stage : group.stages) {
        const auto seconds = ofStage(summary, stage, summary.stageSeconds);
        line.push_back(seconds ? formatSeconds(*seconds) : kNoResult);
    }
    line.push_back(summary.speedup ? withInterval(*summary.speedup, summary.speedupInterval) + "×"
                                   : kNoResult);
    line.push_back(verdictOf(summary));
    line.push_back(baselineText(analysis, labels, summary));
    line.push_back(bytes(memory.allocatedPeak ? memory.allocatedPeak : memory.processPeak));
    for (const std::string& stage : group.stages)
        line.push_back(
            bytes(ofStage(summary, stage, summary.stagePeakBytes).value_or(std::nullopt)));
    line.push_back(summary.measured && memory.weightsResident > 0 ? bytes(memory.weightsResident)
                                                                  : kNoResult);
    line.push_back(std::to_string(summary.roundsOk) + "/" + std::to_string(summary.roundsPlanned));
    for (const OutputMetric* metric : group.metrics)
        line.push_back(outputText(*metric, summary));
    for (const Metric* metric : group.ofLabels) {
        const auto value = valueOf(*metric, summary);
        line.push_back(value ? formatSignificant(*value, metric->digits) : kNoResult);
    }
    if (group.compared) {
        line.push_back(noiseText(summary));
        line.push_back(goldenText(summary));
    }
    line.emplace_back(name(summary.status));
    if (gates != nullptr)
        line.push_back(gates->empty() ? kNoResult : gatesText(*gates));
    group.table.add(std::move(line));
}

// With the stages of the first cell that was measured and the metrics that tables show.
ResultGroup groupFor(const CellSummary& first, const Analysis& analysis,
                     const std::vector<const Metric*>& ofLabels, bool gates)
{
    const PlannedCell& cell = *first.cell;
    ResultGroup group{.title = groupOf(cell.config),
                      .trained = cell.trained,
                      .compared = cell.program.empty(),
                      .output = cell.output,
                      .unit = cell.unit};
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell->config.model == cell.config.model && !summary.stageNames.empty()) {
            group.stages = summary.stageNames;
            break;
        }
    }
    for (const OutputMetric& metric : metricRegistry().outputMetrics()) {
        // Of untrained weights the arithmetic alone is shown.
        const bool shown = cell.trained ? metric.inTables
                                        : !metric.needsTraining &&
                                              (metric.inTables || metric.name == "relative_l2");
        if (group.compared && metric.appliesTo(cell.output) && shown)
            group.metrics.push_back(&metric);
    }
    for (const Metric* metric : ofLabels) {
        if (cell.trained && metric->appliesTo(cell.output))
            group.ofLabels.push_back(metric);
    }
    group.table = resultTable(group, analysis, gates);
    return group;
}

}  // namespace

std::string resultsSection(const Analysis& analysis, const std::vector<CellGates>& gates,
                           bool hasGates)
{
    const CellLabels& labels = analysis.labels;
    const std::vector<const Metric*> ofLabels = labelMetricsOf(analysis);
    // In the order in which they occur: a plan may have thousands.
    std::vector<ResultGroup> groups;
    std::map<std::pair<std::string, bool>, std::size_t> places;
    for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
        const CellSummary& summary = analysis.cells[i];
        const auto [place, isNew] = places.try_emplace(
            {groupOf(summary.cell->config), summary.cell->trained}, groups.size());
        if (isNew)
            groups.push_back(groupFor(summary, analysis, ofLabels, hasGates));
        addResult(groups[place->second], analysis, labels, summary, hasGates ? &gates[i] : nullptr);
    }
    std::string text = "## Results\n\n";
    for (const ResultGroup& group : groups)
        text += "### " + markdownText(group.title) + "\n\n" + group.table.text() + "\n";
    return text;
}

}  // namespace qs::core
