#include "core/analysis/batch_limits.h"
#include "core/analysis/cell_label.h"
#include "core/analysis/cost.h"
#include "core/analysis/find_answer.h"
#include "core/analysis/gates.h"
#include "core/analysis/metric_values.h"
#include "core/report/across_section.h"
#include "core/report/combined_section.h"
#include "core/report/guardrail_section.h"
#include "core/report/json_stream.h"
#include "core/report/json_values.h"
#include "core/report/reference_section.h"
#include "core/report/report.h"
#include "core/report/report_json_cells.h"
#include "core/report/row_texts.h"
#include "core/report/words/warning_text.h"
#include "core/sweep/axis_spec.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

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

// One output, so that a script need not take lists apart.
Json outputQualityJson(const OutputQuality& quality)
{
    Json figures = Json::object();
    for (const OutputQuality::Figure& figure : quality.figures)
        figures[figure.metric] = figure.value;
    Json json{{"cell", quality.cellId},           {"environment", quality.environmentId},
              {"reference", quality.referenceId}, {"sample", quality.sample},
              {"identical", quality.identical},   {"figures", std::move(figures)}};
    if (const auto& tile = quality.worstTile)
        json["worst_tile"] = {{"x", tile->x}, {"y", tile->y}, {"ssim", tile->ssim}};
    return json;
}

Json failedRunsJson(const NoiseFloor& floor)
{
    Json list = Json::array();
    for (const FailedFloorRun& run : floor.failed)
        list.push_back({{"cell", run.cellId}, {"status", name(run.status)}});
    return list;
}

Json progressJson(const Analysis& analysis)
{
    const AnswerProgress progress = findAnswer(analysis, {}).progress;
    return {{"possible_cells", progress.possible},
            {"measured_cells", progress.measured},
            {"complete", progress.complete}};
}

Json floorsJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const NoiseFloor& floor : analysis.floors) {
        const bool known = !floor.setBy.empty();
        list.push_back(
            {{"reference", floor.referenceId},
             {"environment", floor.environmentId},
             {"distance", known ? Json(floor.distance) : Json()},
             {"worst_output_distance", known ? Json(floor.worstDistance) : Json()},
             {"finer_distance", floor.finer ? Json(floor.finer->mean) : Json()},
             {"worst_output_finer_distance", floor.finer ? Json(floor.finer->worst) : Json()},
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
    const CellLabels& labels = analysis.labels;
    const std::vector<const Metric*> metrics = fileMetricsOf(analysis);
    const auto cost = costOfRun(data.plan.preset.price, analysis);
    JsonStream json(sink);
    QS_RETURN_IF_ERROR(json.member("schema_version", kReportSchemaVersion));
    QS_RETURN_IF_ERROR(json.member("left_out", lossJson(data.leftOut)));
    QS_RETURN_IF_ERROR(json.member("progress", progressJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("plan", toJson(data.plan)));
    QS_RETURN_IF_ERROR(json.member(
        "cost", cost ? Json{{"price", toJson(data.plan.preset.price)}, {"run", *cost}} : Json()));
    QS_RETURN_IF_ERROR(json.member("environments", environmentsJson(data)));
    QS_RETURN_IF_ERROR(json.list("cells", analysis.cells.size(), [&](std::size_t i) {
        return cellJson(analysis.cells[i], gates[i], labels, metrics);
    }));
    QS_RETURN_IF_ERROR(json.member("claims", claimsJson(analysis.claims)));
    QS_RETURN_IF_ERROR(json.member("combined_gains", combinedJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("gpu_against_cpu", acrossJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("across_settings", settingsJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("guardrail", guardrailJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("other_programs", referencesJson(data)));
    QS_RETURN_IF_ERROR(json.member("noise_floors", floorsJson(analysis)));
    QS_RETURN_IF_ERROR(json.member("batch_limits", limitsJson(analysis)));
    QS_RETURN_IF_ERROR(json.texts("measurements", [&](const TextSink& element) {
        return writeRowTexts(
            data,
            [](const Measurement& row) {
                Json json = toJson(row);
                json["first_sample_seconds"] = orNull(row.result.firstSampleSeconds);
                json["compile_mode"] = memberWords(*findAxisSpec("compile"), row.config);
                return jsonText(json);
            },
            element);
    }));
    QS_RETURN_IF_ERROR(json.list("qualities", data.qualities.size(), [&](std::size_t i) {
        return outputQualityJson(data.qualities[i]);
    }));
    QS_RETURN_IF_ERROR(json.member("events", eventsJson(data)));
    QS_RETURN_IF_ERROR(json.member("pictures", data.pictureNames));
    return json.end();
}

}  // namespace qs::core
