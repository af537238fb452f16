#include "core/report/report_json_cells.h"

#include "core/analysis/cost.h"
#include "core/analysis/metric_values.h"
#include "core/report/json_values.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "core/report/words/verdict_text.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"

#include <cmath>

namespace qs::core {

namespace {

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
            {"leaning", claim->outlook && claim->outlook->leaning != Verdict::Ambiguous
                            ? Json(toString(claim->outlook->leaning))
                            : Json()},
            {"repeats_to_decide", claim->outlook ? orNull(claim->outlook->moreRounds) : Json()},
            {"log_ratio_variance", claim->evidence.logVariance.variance},
            {"degrees_of_freedom", claim->evidence.logVariance.freedom},
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
            {"input_copy_seconds_per_pass", orNull(device.copySeconds)},
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
            {"first_sample_seconds", orNull(summary.firstSampleSeconds)},
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
    return summary.cell->trained ? "quality" : kNumericDeviation;
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
                        {"measured_is_upper_limit", result.isUpperLimit},
                        {"interval_95", intervalJson(result.interval)},
                        {"reason", gateReasonText(result)}});
    return list;
}

Json breakEvenJson(const std::optional<BreakEven>& breakEven, std::int64_t unitsPerPass)
{
    if (!breakEven)
        return {};
    return {{"result", kBreakEvenResults.of(breakEven->result)},
            {"passes", orNull(breakEven->passes)},
            {"passes_interval_95", intervalJson(breakEven->interval)},
            {"units_per_pass", unitsPerPass}};
}

// Nothing where it is not known.
Json togetherJson(const std::optional<CompiledTogether>& together)
{
    return together ? Json{{"id", together->id},
                           {"programs", together->programs},
                           {"cold_seconds", together->coldSeconds},
                           {"warm_seconds", together->warmSeconds}}
                    : Json();
}

// A region by itself, where it was timed.
Json regionJson(const StageCompile& stage)
{
    if (!stage.time)
        return {};
    Json json{{"bytes", stage.time->bytes},
              {"eager_seconds", stage.time->eagerSeconds},
              {"compiled_seconds", stage.time->compiledSeconds},
              {"launch_seconds", orNull(stage.time->launchSeconds)}};
    if (const auto& numerics = stage.time->numerics)
        json["against_eager"] = {{"equal", numerics->equal},
                                 {"allclose_1e-3", numerics->close},
                                 {"max_abs_difference", numerics->largestDifference}};
    return json;
}

// What PyTorch launches has no kernel here.
Json fusedJson(const std::vector<KernelChoice>& kernels)
{
    Json list = Json::array();
    for (const KernelChoice& each : kernels) {
        const bool isOwn = !each.kernel.empty();
        list.push_back(
            {{"module", each.module},
             {"operations", each.operations},
             {"calls", each.calls},
             {"kernel", isOwn ? Json(each.kernel) : Json()},
             {"shape", each.shape.empty() ? Json() : Json(each.shape)},
             {"cold_seconds", each.seconds > 0.0 ? Json(each.seconds) : Json()},
             {"unfused", each.why == Unfused::No ? Json() : Json(kUnfusedNames.of(each.why))}});
    }
    return list;
}

Json compileStageJson(const StageCompile& stage)
{
    Json parts = Json::object();
    for (const CompilePart& part : stage.coldParts)
        parts[part.name] = part.seconds;
    return {{"stage", stage.stage},
            {"region", stage.part.empty() ? Json() : Json(stage.part)},
            {"calls", stage.calls},
            {"one_call", regionJson(stage)},
            {"cold_seconds", stage.coldSeconds},
            {"cold_parts_seconds", std::move(parts)},
            {"warm_seconds", stage.warmSeconds},
            {"compiled_together", togetherJson(stage.together)},
            {"fused", fusedJson(stage.kernels)},
            {"distance_to_eager", stage.distanceToEager},
            {"distance_allowed", orNull(stage.distanceLimit)}};
}

// Seconds of all stages are among the metrics.
Json compileJson(const CompileCost& cost, std::int64_t unitsPerPass)
{
    Json stages = Json::array();
    for (const StageCompile& stage : cost.stages)
        stages.push_back(compileStageJson(stage));
    return {{"stages", std::move(stages)},
            {"seconds_are_upper_limits", cost.isUpperLimit},
            {"programs", cost.compilations.programs},
            {"shapes", cost.compilations.shapes},
            {"distance_limit", orNull(cost.limit)},
            {"bf16_from_fp32", orNull(cost.bf16FromFp32)},
            {"break_even_cold", breakEvenJson(cost.cold, unitsPerPass)},
            {"break_even_warm", breakEvenJson(cost.warm, unitsPerPass)}};
}

Json costJson(const CellSummary& summary)
{
    if (!summary.cost)
        return {};
    return {{"run", summary.cost->run}, {"million_units", orNull(summary.cost->perMillionUnits)}};
}

Json kernelsJson(const TimeDivision& division, double passSeconds)
{
    Json list = Json::array();
    for (const KernelTime& kernel : division.kernels)
        list.push_back({{"name", kernel.name.empty() ? Json() : Json(kernel.name)},
                        {"kind", kWorkKinds.of(kernel.kind)},
                        {"launches_per_pass", kernel.calls},
                        {"seconds_per_pass", kernel.seconds},
                        {"share_of_pass", division.share(kernel, passSeconds)}});
    return list;
}

}  // namespace

Json cellJson(const CellSummary& summary, const CellGates& gates, const CellLabels& labels,
              const std::vector<const Metric*>& metrics)
{
    Json json{{"cell", summary.cellId},
              {"label", labels.withBatch(*summary.cell)},
              {"environment", summary.environmentId},
              {"config", toJson(summary.cell->config)},
              {"compile_mode", memberWords(*findAxisSpec("compile"), summary.cell->config)},
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
    // Most cells are not compiled.
    if (summary.compileCost)
        json["compile_cost"] = compileJson(*summary.compileCost, summary.cell->unitsPerPass);
    if (summary.division)
        json["kernels"] = kernelsJson(*summary.division, summary.seconds);
    return json;
}

Json claimsJson(const std::vector<ClaimOutcome>& claims)
{
    Json list = Json::array();
    for (const ClaimOutcome& outcome : claims) {
        Json cells = Json::array();
        for (const ClaimedCell& cell : outcome.cells)
            cells.push_back({{"cell", cell.cellId},
                             {"result", kClaimResults.of(cell.result)},
                             {"gates", gatesJson(cell.gates)}});
        list.push_back({{"claim", outcome.claim.text},
                        {"source", outcome.claim.source},
                        {"result", kClaimResults.of(outcome.result)},
                        {"cells", std::move(cells)}});
    }
    return list;
}

}  // namespace qs::core
