#include "core/analysis/batch_limits.h"
#include "core/analysis/cell_label.h"
#include "core/analysis/cost.h"
#include "core/analysis/gates.h"
#include "core/analysis/metric_values.h"
#include "core/report/json_stream.h"
#include "core/report/report.h"
#include "core/report/row_texts.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "core/report/words/warning_text.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace qs::core {

namespace {

template <typename Value>
Json orNull(const std::optional<Value>& value)
{
    return value ? Json(*value) : Json();
}

Json intervalJson(const std::optional<Interval>& interval)
{
    return interval ? Json::array({interval->lower, interval->upper}) : Json();
}

Json ratioJson(const std::optional<RatioEvidence>& evidence)
{
    if (!evidence)
        return {};
    return {{"ratio", evidence->ratio.value},
            {"interval_95", intervalJson(evidence->ratio.interval)},
            {"rounds", evidence->ratio.count}};
}

Json claimJson(const std::optional<SpeedClaim>& claim)
{
    if (!claim)
        return {};
    return {{"verdict", toString(claim->verdict)},
            {"provisional", claim->provisional},
            {"looks", claim->look + 1},
            {"rounds_paired", claim->evidence.paired},
            {"baseline_candidates", claim->evidence.candidates},
            {"p_value_corrected", claim->pValue},
            {"p_value_faster", claim->evidence.faster},
            {"p_value_slower", claim->evidence.slower},
            {"in_cycles", ratioJson(claim->cycles)}};
}

Json samplesJson(const std::optional<SampleFigures>& figures)
{
    if (!figures)
        return {};
    return {{"count", figures->count},
            {"seconds_mean", figures->mean},
            {"seconds_standard_deviation", orNull(figures->standardDeviation)},
            {"seconds_minimum", figures->minimum},
            {"seconds_maximum", figures->maximum},
            {"seconds_p90", orNull(figures->p90)},
            {"seconds_p95", orNull(figures->p95)},
            {"seconds_p99", orNull(figures->p99)},
            {"mild_outliers", figures->outliers.mild},
            {"severe_outliers", figures->outliers.severe},
            {"lag1_autocorrelation", figures->autocorrelation},
            {"effective_samples", figures->effectiveCount},
            {"trend_over_round_fraction", figures->trend},
            {"drifting", figures->drifting},
            {"significant_digits", figures->significantDigits}};
}

Json deviceJson(const CellSummary& summary)
{
    if (!summary.measured)
        return {};
    const DeviceFigures& device = summary.device;
    return {{"others_cores", orNull(summary.othersCores)},
            {"sm_clock_mean_mhz", orNull(device.clockMegahertz)},
            {"slowed_down_fraction", orNull(device.slowedShare)},
            {"power_capped_percent", orNull(device.powerCappedPercent)},
            {"thermal_capped_percent", orNull(device.thermalCappedPercent)},
            {"temperature_maximum_celsius", orNull(device.maximumCelsius)},
            {"energy_joules_per_unit", orNull(summary.joulesPerUnit())},
            {"energy_window_seconds", orNull(device.energyWindowSeconds)},
            {"energy_window_too_short", device.energyWindowTooShort},
            {"end_to_end_seconds_per_pass", orNull(device.endToEndSeconds)},
            {"end_to_end_throughput_per_second", orNull(summary.endToEndThroughput())},
            {"discarded_samples", device.discards}};
}

Json timesJson(const CellSummary& summary)
{
    if (!summary.measured)
        return {};
    Json stages = Json::object();
    for (std::size_t i = 0; i < summary.stageNames.size(); ++i)
        stages[summary.stageNames[i]] = summary.stageSeconds[i];
    return {{"host_seconds_per_pass", summary.hostSeconds},
            {"stage_seconds_per_pass", std::move(stages)},
            {"samples", summary.samples},
            {"sample_statistics", samplesJson(summary.distribution)}};
}

// By column name; an infinite value, as the PSNR of equal images, is null.
Json metricsJson(const CellSummary& summary, const std::vector<const Metric*>& metrics)
{
    Json all = Json::object();
    for (const Metric* metric : metrics) {
        const auto value = valueOf(*metric, summary);
        all[metric->column] = value && std::isfinite(*value) ? Json(*value) : Json();
        if (metric->overRounds)
            all[metric->column + "_interval_95"] = intervalJson(intervalOf(*metric, summary));
    }
    return all;
}

const char* meaningOf(const CellSummary& summary)
{
    return summary.cell->trained ? "quality" : "numeric deviation (untrained weights)";
}

// The mean, the worst and how many outputs have it, of each metric that says something.
Json figuresJson(const CellSummary& summary, const QualityFigures& figures)
{
    Json all = Json::object();
    for (const auto& [name, figure] : figures.metrics) {
        const OutputMetric* metric = metricRegistry().findOutput(name);
        if (metric != nullptr && (summary.cell->trained || !metric->needsTraining))
            all[name] = {{"mean", figure.mean},
                         {"worst", figure.worst},
                         {"worst_output", figure.worstSample},
                         {"outputs", figure.samples}};
    }
    return all;
}

Json qualityJson(const CellSummary& summary)
{
    if (!summary.quality)
        return {};
    const QualityFigures& quality = *summary.quality;
    return {{"meaning", meaningOf(summary)},
            {"reference", summary.cell->referenceId},
            {"figures", figuresJson(summary, quality)},
            {"outputs", quality.samples.size()},
            {"worst_output", quality.worstSample},
            {"verdict", summary.qualityVerdict && summary.cell->trained
                            ? Json(toString(*summary.qualityVerdict))
                            : Json()},
            {"verdict_p_value_corrected",
             summary.qualityClaim ? Json(summary.qualityClaim->pValue) : Json()},
            {"cells_with_equal_outputs",
             summary.qualityClaim ? Json(summary.qualityClaim->cells) : Json()},
            {"identical", quality.identical},
            {"noise_floor_result", toString(summary.noiseResult)}};
}

Json goldenJson(const CellSummary& summary)
{
    if (!summary.golden)
        return {};
    return {{"meaning", meaningOf(summary)},
            {"golden_run", summary.golden->cellId},
            {"figures", figuresJson(summary, summary.golden->figures)},
            {"identical", summary.golden->figures.identical}};
}

Json memoryJson(const CellSummary& summary)
{
    if (!summary.measured)
        return {};
    Json stages = Json::object();
    for (std::size_t i = 0; i < summary.stageNames.size(); ++i)
        stages[summary.stageNames[i]] = orNull(summary.stagePeakBytes[i]);
    return {{"stage_peak_bytes", std::move(stages)},
            {"load_allocated_peak_bytes", orNull(summary.memory.loadAllocatedPeak)},
            {"weights_resident_bytes", summary.memory.weightsResident},
            {"weights_file_bytes", orNull(summary.weightsFileBytes)},
            {"workspace_bytes", orNull(workspaceBytes(summary.memory))},
            {"self_test", selfTestText(summary.memory.selfTest)},
            {"allocation_retries", summary.memory.allocationRetries}};
}

Json gatesJson(const CellGates& gates)
{
    Json list = Json::array();
    for (const GateResult& result : gates)
        list.push_back({{"expect", gateText(result.gate)},
                        {"verdict", name(result.verdict)},
                        {"measured", orNull(result.measured)},
                        {"interval_95", intervalJson(result.interval)},
                        {"reason", gateReasonText(result)}});
    return list;
}

Json costJson(const CellSummary& summary)
{
    if (!summary.cost)
        return {};
    return {{"run", summary.cost->run}, {"million_units", orNull(summary.cost->perMillionUnits)}};
}

Json summaryJson(const CellSummary& summary, const CellGates& gates, const CellLabels& labels,
                 const std::vector<const Metric*>& metrics)
{
    return {{"cell", summary.cellId},
            {"label", labels.withBatch(*summary.cell)},
            {"environment", summary.environmentId},
            {"config", toJson(summary.cell->config)},
            {"trained_weights", summary.cell->trained},
            {"status", kStatusNames.of(summary.status)},
            {"reason", reasonText(summary)},
            {"rounds_ok", summary.roundsOk},
            {"rounds_planned", summary.roundsPlanned},
            {"output", name(summary.cell->output)},
            {"work_unit", name(summary.cell->unit)},
            {"metrics", metricsJson(summary, metrics)},
            {"times", timesJson(summary)},
            {"device", deviceJson(summary)},
            {"speed_baseline", summary.baselineId},
            {"speed_verdict", claimJson(summary.claim)},
            {"memory", memoryJson(summary)},
            {"cost", costJson(summary)},
            {"difference_from_reference", qualityJson(summary)},
            {"difference_from_fp32_golden", goldenJson(summary)},
            {"gates", gatesJson(gates)},
            {"executed", toJson(summary.executed)},
            {"attention_ran", summary.attention},
            {"repeatable", orNull(summary.repeatable)},
            {"doubts", noteTexts(summary.doubts)},
            {"notes", noteTexts(summary.notes)}};
}

Json lossJson(const LeftOut& leftOut)
{
    const JournalDamage& damage = leftOut.journal;
    return {{"loss", leftOut.isLoss()},
            {"damaged_lines", damage.lines},
            {"damaged_bytes", damage.bytes},
            {"first_damaged_line", damage.lines > 0 ? Json(damage.firstLine) : Json()},
            {"first_damaged_byte", damage.lines > 0 ? Json(damage.firstByte) : Json()},
            {"header_missing", damage.headerMissing},
            {"records_not_understood", leftOut.notUnderstood},
            {"records_that_contradict", leftOut.contradictions},
            {"records_repeated", leftOut.repetitions},
            {"records_of_unknown_type", leftOut.unknownTypes},
            {"unfinished_bytes", leftOut.tornBytes}};
}

Json environmentsJson(const RunData& data)
{
    Json list = Json::array();
    for (const Environment& environment : data.environments) {
        list.push_back(toJson(environment));
        list.back()["id"] = environment.id();
    }
    return list;
}

Json failedRunsJson(const NoiseFloor& floor)
{
    Json list = Json::array();
    for (const FailedFloorRun& run : floor.failed)
        list.push_back({{"cell", run.cellId}, {"status", name(run.status)}});
    return list;
}

Json floorsJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const NoiseFloor& floor : analysis.floors) {
        const bool known = !floor.setBy.empty();
        list.push_back({{"reference", floor.referenceId},
                        {"environment", floor.environmentId},
                        {"distance", known ? Json(floor.distance) : Json()},
                        {"worst_output_distance", known ? Json(floor.worstDistance) : Json()},
                        {"set_by", floor.setBy},
                        {"deterministic", floor.deterministic},
                        {"reference_repeats", orNull(floor.referenceRepeats)},
                        {"runs_planned", floor.planned},
                        {"runs_seen", floor.seen},
                        {"final", floor.complete()},
                        {"missing", failedRunsJson(floor)}});
    }
    return list;
}

Json limitsJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const BatchLimits& limits : batchLimits(analysis))
        list.push_back(
            {{"family", limits.family},
             {"cells", limits.cellIds},
             {"largest_fitting_batch", orNull(limits.largestFitting)},
             {"best_throughput_batch", orNull(limits.bestThroughputBatch)},
             {"best_throughput_per_second",
              limits.bestThroughputBatch ? Json(limits.bestThroughput) : Json()},
             {"best_throughput_interval_95", intervalJson(limits.bestThroughputInterval)}});
    return list;
}

Json eventsJson(const RunData& data)
{
    Json list = Json::array();
    for (const RunEvent& event : data.events)
        list.push_back({{"at", event.at},
                        {"kind", kEventKinds.of(event.kind)},
                        {"notes", toJson(event.notes)},
                        {"text", eventText(event)}});
    return list;
}

}  // namespace

Status writeReportJson(const RunData& data, const Analysis& analysis, const TextSink& sink)
{
    const std::vector<CellGates> gates = evaluateGates(data, analysis);
    const CellLabels labels = distinguish(analysis);
    const std::vector<const Metric*> metrics = metricsOf(analysis);
    const auto cost = costOfRun(data.plan.preset.price, analysis);
    JsonStream json(sink);
    QS_RETURN_IF_ERROR(json.member("schema_version", kReportSchemaVersion));
    QS_RETURN_IF_ERROR(json.member("left_out", lossJson(data.leftOut)));
    QS_RETURN_IF_ERROR(json.member("plan", toJson(data.plan)));
    QS_RETURN_IF_ERROR(json.member(
        "cost", cost ? Json{{"price", toJson(data.plan.preset.price)}, {"run", *cost}} : Json()));
    QS_RETURN_IF_ERROR(json.member("environments", environmentsJson(data)));
    QS_RETURN_IF_ERROR(json.list("cells", analysis.cells.size(), [&](std::size_t i) {
        return summaryJson(analysis.cells[i], gates[i], labels, metrics);
    }));
    QS_RETURN_IF_ERROR(json.member("noise_floors", floorsJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("batch_limits", limitsJson(analysis)));
    QS_RETURN_IF_ERROR(json.texts("measurements", [&](const TextSink& element) {
        return writeRowTexts(
            data, [](const Measurement& row) { return jsonText(toJson(row)); }, element);
    }));
    QS_RETURN_IF_ERROR(json.list("qualities", data.qualities.size(),
                                 [&](std::size_t i) { return toJson(data.qualities[i]); }));
    QS_RETURN_IF_ERROR(json.member("events", eventsJson(data)));
    QS_RETURN_IF_ERROR(json.member("pictures", data.pictureNames));
    return json.end();
}

}  // namespace qs::core
