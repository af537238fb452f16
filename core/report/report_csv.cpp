#include "core/analysis/cell_label.h"
#include "core/analysis/gates.h"
#include "core/analysis/metric_values.h"
#include "core/report/csv_columns.h"
#include "core/report/csv_table.h"
#include "core/report/report.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace qs::core {

namespace {

std::optional<double> lower(const std::optional<Interval>& interval)
{
    return interval ? std::optional(interval->lower) : std::nullopt;
}

std::optional<double> upper(const std::optional<Interval>& interval)
{
    return interval ? std::optional(interval->upper) : std::nullopt;
}

std::size_t placeOf(const std::vector<std::string>& names, const std::string& name)
{
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// Three digits: more would only tell one C library from another. In no locale.
std::optional<double> roundedPValue(const std::optional<SpeedClaim>& claim)
{
    if (!claim)
        return std::nullopt;
    char text[32];
    const auto end = std::to_chars(std::begin(text), std::end(text), claim->pValue,
                                   std::chars_format::general, 3)
                         .ptr;
    double rounded = 0.0;
    std::from_chars(std::begin(text), end, rounded);
    return rounded;
}

void addSampleFigures(CsvTable& table, const std::optional<SampleFigures>& figures)
{
    const auto figure = [&](double SampleFigures::*member) {
        return figures ? std::optional((*figures).*member) : std::nullopt;
    };
    const auto rare = [&](std::optional<double> SampleFigures::*member) {
        return figures ? (*figures).*member : std::nullopt;
    };
    const auto count = [&](std::size_t OutlierCounts::*member) {
        return figures ? std::optional(static_cast<std::int64_t>(figures->outliers.*member))
                       : std::nullopt;
    };
    table.number("sample_seconds_mean", figure(&SampleFigures::mean));
    table.number("sample_seconds_standard_deviation", rare(&SampleFigures::standardDeviation));
    table.number("sample_seconds_minimum", figure(&SampleFigures::minimum));
    table.number("sample_seconds_maximum", figure(&SampleFigures::maximum));
    table.number("sample_seconds_p90", rare(&SampleFigures::p90));
    table.number("sample_seconds_p95", rare(&SampleFigures::p95));
    table.number("sample_seconds_p99", rare(&SampleFigures::p99));
    table.integer("mild_outliers", count(&OutlierCounts::mild));
    table.integer("severe_outliers", count(&OutlierCounts::severe));
    table.number("lag1_autocorrelation", figure(&SampleFigures::autocorrelation));
    table.number("effective_samples", figure(&SampleFigures::effectiveCount));
    table.number("trend_over_round_fraction", figure(&SampleFigures::trend));
    table.integer("drifting",
                  figures ? std::optional<std::int64_t>(figures->drifting) : std::nullopt);
    table.integer("significant_digits",
                  figures ? std::optional<std::int64_t>(figures->significantDigits) : std::nullopt);
}

void addDevice(CsvTable& table, const CellSummary& summary)
{
    const DeviceFigures& device = summary.device;
    table.number("others_cores", summary.othersCores);
    table.number("sm_clock_mean_mhz", device.clockMegahertz);
    table.number("slowed_down_fraction", device.slowedShare);
    table.number("power_capped_percent", device.powerCappedPercent);
    table.number("thermal_capped_percent", device.thermalCappedPercent);
    table.number("temperature_maximum_celsius", device.maximumCelsius);
    table.number("energy_window_seconds", device.energyWindowSeconds);
    table.integer("energy_window_too_short",
                  summary.measured ? std::optional<std::int64_t>(device.energyWindowTooShort)
                                   : std::nullopt);
    table.number("end_to_end_seconds_per_pass", device.endToEndSeconds);
    table.number("end_to_end_throughput_per_second", summary.endToEndThroughput());
    table.number("input_copy_seconds_per_pass", device.copySeconds);
    table.integer("discarded_samples",
                  summary.measured ? std::optional(static_cast<std::int64_t>(device.discards))
                                   : std::nullopt);
}

void addTimes(CsvTable& table, const CellSummary& summary, const CsvLayout& layout)
{
    const auto known = [&](double value) {
        return summary.measured ? std::optional(value) : std::nullopt;
    };
    table.number("host_seconds_per_pass", known(summary.hostSeconds));
    for (const std::string& stage : layout.stages)
        table.number(stage + "_seconds_per_pass",
                     at(summary.stageSeconds, placeOf(summary.stageNames, stage)));
    table.number("first_sample_seconds", summary.firstSampleSeconds);
    addSampleFigures(table, summary.distribution);
    addDevice(table, summary);
    table.text("speed_baseline", summary.baselineId);
    const auto& cycles = summary.claim ? summary.claim->cycles : std::nullopt;
    table.number("speedup_cycles_ratio",
                 cycles ? std::optional(cycles->ratio.value) : std::nullopt);
    table.number("speedup_cycles_ratio_lower_95",
                 cycles ? lower(cycles->ratio.interval) : std::nullopt);
    table.number("speedup_cycles_ratio_upper_95",
                 cycles ? upper(cycles->ratio.interval) : std::nullopt);
    if (summary.claim)
        table.flag("speedup_rounds_paired", summary.claim->evidence.paired);
    else
        table.empty("speedup_rounds_paired");
    table.integer("speed_looks", summary.claim
                                     ? std::optional<std::int64_t>(summary.claim->look + 1)
                                     : std::nullopt);
    table.text("speed_verdict", summary.claim ? toString(summary.claim->verdict) : "");
    table.number("speed_verdict_p_value_corrected", roundedPValue(summary.claim));
    const auto& outlook = summary.claim ? summary.claim->outlook : std::nullopt;
    table.text("speed_leaning",
               outlook && outlook->leaning != Verdict::Ambiguous ? toString(outlook->leaning) : "");
    table.integer("repeats_to_decide", outlook ? outlook->moreRounds : std::nullopt);
}

// One column for each metric, three for those that have an interval. Those that need trained
// weights are empty without them.
void addMetrics(CsvTable& table, const CellSummary& summary,
                const std::vector<const Metric*>& metrics)
{
    for (const Metric* metric : metrics) {
        const auto value = summary.cellId.empty() ? std::nullopt : valueOf(*metric, summary);
        if (metric->unit == MetricUnit::Bytes)
            table.integer(metric->column,
                          value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt);
        else
            table.number(metric->column, value);
        if (!metric->overRounds)
            continue;
        const auto interval = value ? intervalOf(*metric, summary) : std::nullopt;
        table.number(metric->column + "_lower_95", lower(interval));
        table.number(metric->column + "_upper_95", upper(interval));
    }
}

// Beside the bf16 reference, never instead of it.
void addGolden(CsvTable& table, const CellSummary& summary,
               const std::vector<const OutputMetric*>& metrics)
{
    const auto& golden = summary.golden;
    table.text("fp32_golden", golden ? golden->cellId : "");
    for (const OutputMetric* metric : metrics) {
        const bool shown = golden && (summary.cell->trained || !metric->needsTraining);
        table.number("fp32_golden_" + meanOf(metric->name),
                     shown ? golden->figures.mean(metric->name) : std::nullopt);
    }
}

void addQuality(CsvTable& table, const CellSummary& summary)
{
    const auto& quality = summary.quality;
    const auto count = [&](std::size_t value) {
        return quality ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
    };
    table.text("quality_reference", summary.cell->referenceId);
    table.integer("outputs_compared", count(quality ? quality->samples.size() : 0));
    table.integer("worst_output",
                  count(quality ? static_cast<std::size_t>(quality->worstSample) : 0));
    if (quality)
        table.flag("identical_to_reference", quality->identical);
    else
        table.empty("identical_to_reference");
    table.text("noise_floor_result", toString(summary.noiseResult));
    table.text("quality_verdict", summary.qualityVerdict && summary.cell->trained
                                      ? toString(*summary.qualityVerdict)
                                      : "");
}

void addGates(CsvTable& table, const CellGates& gates)
{
    const GateCounts counts = countGates(gates);
    table.integer("gates_passed", counts.passed);
    table.integer("gates_failed", counts.failed);
    table.integer("gates_undecided", counts.undecided);
    table.integer("gates_not_testable", counts.notTestable);
    std::vector<std::string> texts;
    for (const GateResult& result : gates)
        texts.push_back(std::string(name(result.verdict)) + ": " + gateResultText(result));
    table.text("gates", joined(texts));
}

// What is no number of its own; the others are among the metrics.
void addCompile(CsvTable& table, const CellSummary& summary)
{
    const auto result = [&](CompileStart start) -> std::string {
        const auto found =
            summary.compileCost ? summary.compileCost->breakEven(start) : std::nullopt;
        return found ? std::string(kBreakEvenResults.of(found->result)) : std::string();
    };
    table.text("break_even_cold", result(CompileStart::Cold));
    table.text("break_even_warm", result(CompileStart::Warm));
    const auto& cost = summary.compileCost;
    table.number("package_distance_to_eager",
                 cost ? std::optional(cost->farthest().distanceToEager) : std::nullopt);
    table.number("package_distance_limit", cost ? cost->limit : std::nullopt);
    table.number("bf16_distance_from_fp32", cost ? cost->bf16FromFp32 : std::nullopt);
}

void addCost(CsvTable& table, const CellSummary& summary, const Price& price)
{
    table.text("currency", price.currency);
    table.number("device_hour_price", price.perDeviceHour);
    table.number("run_cost", summary.cost ? std::optional(summary.cost->run) : std::nullopt);
}

// What the columns of the table depend on.
struct CellColumns {
    CsvLayout layout;
    std::vector<const Metric*> metrics;
    std::vector<const OutputMetric*> outputMetrics;
    bool compiled = false;  // some cell is
};

// `gates`: null if the run has none, then they have no columns; nor have costs without a price.
void addCell(CsvTable& table, const CellSummary& summary, const CellLabels& labels,
             const CellColumns& columns, const CellGates* gates, const Price& price)
{
    const PlannedCell& cell = *summary.cell;
    table.text("label", labels.withBatch(cell));
    table.text("cell", cell.id);
    table.text("environment", summary.environmentId);
    addConfig(table, cell.config, columns.layout);
    table.integer("rerun", cell.rerun);
    table.flag("trained_weights", cell.trained);
    table.text("status", kStatusNames.of(summary.status));
    table.text("reason", reasonText(summary));
    table.integer("rounds_ok", summary.roundsOk);
    table.integer("rounds_planned", summary.roundsPlanned);
    table.integer("samples", static_cast<std::int64_t>(summary.samples));
    table.text("work_unit", name(cell.unit));
    addMetrics(table, summary, columns.metrics);
    addTimes(table, summary, columns.layout);
    addMemory(table, summary.memory, summary.measured);
    table.integer("weights_file_bytes", summary.weightsFileBytes);
    for (const std::string& stage : columns.layout.stages)
        table.integer(stage + "_peak_bytes",
                      at(summary.stagePeakBytes, placeOf(summary.stageNames, stage)));
    addQuality(table, summary);
    addGolden(table, summary, columns.outputMetrics);
    if (gates != nullptr)
        addGates(table, *gates);
    if (!price.empty())
        addCost(table, summary, price);
    if (columns.compiled)
        addCompile(table, summary);
    table.text("executed", executedText(summary.executed));
    table.text("quantizer", activationText(summary.executed));
    table.text("attention_ran", summary.attention);
    table.number("flop_per_pass", cell.flops);
    table.integer("weights_planned_bytes", cell.weightBytes);
    table.text("doubts", joined(noteTexts(summary.doubts)));
    table.text("notes", joined(noteTexts(summary.notes)));
}

}  // namespace

// Each table begins with a line that is dropped, so that it has its head even without lines.

std::string cellsCsv(const RunData& data, const Analysis& analysis, bool formulaSafe)
{
    const CellColumns columns{
        .layout = layoutOf(data.plan, analysis.rows),
        .metrics = fileMetricsOf(analysis),
        .outputMetrics = outputMetricsOf(analysis),
        .compiled = std::any_of(analysis.cells.begin(), analysis.cells.end(),
                                [](const auto& each) { return each.compileCost.has_value(); })};
    const CellLabels& labels = analysis.labels;
    CsvTable table(formulaSafe);
    const PlannedCell nothing;
    CellSummary empty;
    empty.cell = &nothing;
    const std::vector<CellGates> gates = evaluateGates(data, analysis);
    const bool hasGates = !data.plan.preset.gates.empty();
    const CellGates noGates;
    addCell(table, empty, labels, columns, hasGates ? &noGates : nullptr, data.plan.preset.price);
    table.dropLine();
    for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
        addCell(table, analysis.cells[i], labels, columns, hasGates ? &gates[i] : nullptr,
                data.plan.preset.price);
        table.endLine();
    }
    return table.content();
}

}  // namespace qs::core
