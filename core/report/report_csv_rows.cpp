#include "core/analysis/cell_label.h"
#include "core/report/csv_columns.h"
#include "core/report/report.h"
#include "core/report/row_texts.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace qs::core {

namespace {

const StageSamples* findStage(const CellResult& result, const std::string& name)
{
    const auto found = std::find_if(result.stages.begin(), result.stages.end(),
                                    [&](const StageSamples& stage) { return stage.stage == name; });
    return found == result.stages.end() ? nullptr : &*found;
}

std::optional<double> medianOf(const std::vector<double>& values)
{
    return values.empty() ? std::nullopt : std::optional(median(values));
}

// The readable names of the cells, by id; a row of no cell of the plan has none.
using LabelsById = std::unordered_map<std::string, std::string>;

LabelsById labelsOf(const Plan& plan)
{
    const CellLabels labels = distinguish(plan.cells);
    LabelsById byId;
    for (const PlannedCell& cell : plan.cells)
        byId.emplace(cell.id, labels.withBatch(cell));
    return byId;
}

// What the columns of a table depend on.
struct RowColumns {
    CsvLayout layout;
    LabelsById labels;
};

void addKey(CsvTable& table, const Measurement& row, const LabelsById& labels)
{
    const auto label = labels.find(row.cellId);
    table.text("label", label == labels.end() ? std::string() : label->second);
    table.text("cell", row.cellId);
    table.text("environment", row.environmentId);
    table.integer("round", row.round + 1);
    table.integer("attempt", row.attempt + 1);
}

void addDistribution(CsvTable& table, const std::vector<double>& seconds)
{
    const auto summary = summarize(seconds);
    const auto figure = [&](double SampleSummary::*member) {
        return summary ? std::optional((*summary).*member) : std::nullopt;
    };
    const auto quartile = [&](double Quartiles::*member) {
        return summary ? std::optional(summary->quartiles.*member) : std::nullopt;
    };
    table.integer("samples", static_cast<std::int64_t>(seconds.size()));
    table.number("seconds_per_pass_median", quartile(&Quartiles::median));
    table.number("seconds_per_pass_lower_quartile", quartile(&Quartiles::lower));
    table.number("seconds_per_pass_upper_quartile", quartile(&Quartiles::upper));
    table.number("seconds_per_pass_mean", figure(&SampleSummary::mean));
    table.number("seconds_per_pass_minimum", figure(&SampleSummary::minimum));
    table.number("seconds_per_pass_maximum", figure(&SampleSummary::maximum));
    table.number("variation_fraction", summary ? summary->coefficientOfVariation : std::nullopt);
    table.number("seconds_per_pass_standard_deviation",
                 summary ? summary->standardDeviation : std::nullopt);
    table.number("seconds_per_pass_p90", summary ? summary->p90 : std::nullopt);
    table.number("seconds_per_pass_p95", summary ? summary->p95 : std::nullopt);
    table.number("seconds_per_pass_p99", summary ? summary->p99 : std::nullopt);
    const auto outliers = [&](std::size_t OutlierCounts::*member) {
        return summary ? std::optional(static_cast<std::int64_t>(summary->outliers.*member))
                       : std::nullopt;
    };
    table.integer("mild_outliers", outliers(&OutlierCounts::mild));
    table.integer("severe_outliers", outliers(&OutlierCounts::severe));
    table.number("lag1_autocorrelation", figure(&SampleSummary::autocorrelation));
    table.number("effective_samples", figure(&SampleSummary::effectiveCount));
    table.number("trend_fraction", figure(&SampleSummary::trend));
    table.integer("drifting",
                  summary ? std::optional<std::int64_t>(summary->isDrifting()) : std::nullopt);
    table.integer("significant_digits",
                  summary ? std::optional<std::int64_t>(summary->significantDigits) : std::nullopt);
}

void addStorage(CsvTable& table, const StorageReport& storage)
{
    const auto bytes = [&](std::int64_t value) {
        return storage.empty() ? std::nullopt : std::optional(value);
    };
    table.integer("weights_logical_bytes", bytes(storage.logicalBytes));
    table.integer("weights_storage_bytes", bytes(storage.storageBytes));
    table.integer("weights_file_bytes",
                  storage.fileBytes > 0 ? bytes(storage.fileBytes) : std::nullopt);
}

void addRunDetails(CsvTable& table, const CellResult& result, bool ran)
{
    const auto count = [&](int value) {
        return ran ? std::optional<std::int64_t>(value) : std::nullopt;
    };
    table.integer("warmup_passes", count(result.warmupPasses));
    table.text("warmup_end", ran ? kWarmupEnds.of(result.warmupEnd) : "");
    table.text("stop_reason", ran ? kStopReasons.of(result.stopReason) : "");
    table.text("model_content", result.modelContent);
    table.text("executed", executedText(result.executed));
    table.text("quantizer", activationText(result.executed));
    table.text("attention_ran", result.attention);
    table.integer("graph_launches_per_pass", count(result.graphLaunches));
    table.integer("outputs_finite", count(result.outputsFinite ? 1 : 0));
    table.text("notes", joined(noteTexts(result.notes)));
}

void addPhases(CsvTable& table, const CellResult& result)
{
    for (const Phase phase : kCellPhases) {
        const PhaseTime* time = result.phase(phase);
        table.number("phase_" + std::string(kPhaseNames.of(phase)) + "_seconds",
                     time == nullptr ? std::nullopt : std::optional(time->seconds));
    }
}

void addMeasurement(CsvTable& table, const Measurement& row, const RowColumns& columns)
{
    const CsvLayout& layout = columns.layout;
    const CellResult& result = row.result;
    const bool ran = !result.passSeconds().empty();
    addKey(table, row, columns.labels);
    addConfig(table, row.config, layout);
    table.text("status", kStatusNames.of(row.status()));
    table.text("reason", row.failure ? failureText(*row.failure) : "");
    table.text("started_at_utc", row.startedAt);
    table.number("duration_seconds", row.durationSeconds);
    table.number("first_sample_seconds", result.firstSampleSeconds);
    addDistribution(table, result.passSeconds());
    table.integer("discarded_samples",
                  ran ? std::optional(static_cast<std::int64_t>(result.discards.size()))
                      : std::nullopt);
    table.number("load_average_before", result.load.averageBefore);
    table.number("others_cores_before", result.load.othersBefore);
    table.number("others_cores_during", result.load.othersDuring);
    table.number("cycles_per_pass_median", medianCycles(result));
    const CappedPercent capped = cappedWhileSampling(result);
    table.number("power_capped_percent", capped.power);
    table.number("thermal_capped_percent", capped.thermal);
    const auto energy = energyOf(row);
    const bool counted = energy && energy->longEnough();
    table.number("energy_joules_per_pass",
                 counted ? std::optional(energy->joulesPerPass()) : std::nullopt);
    table.number("energy_window_seconds",
                 counted ? std::optional(energy->use.seconds) : std::nullopt);
    table.number("host_seconds_per_pass_median", medianOf(result.counted(result.hostSeconds)));
    for (const std::string& stage : layout.stages) {
        const StageSamples* samples = findStage(result, stage);
        table.number(stage + "_seconds_per_pass_median",
                     samples == nullptr ? std::nullopt
                                        : medianOf(result.counted(samples->seconds)));
    }
    addPhases(table, result);
    table.integer("allocated_peak_bytes", result.memory.allocatedPeak);
    table.integer("reserved_peak_bytes", result.memory.reservedPeak);
    table.integer("graph_pool_bytes", result.memory.graphPool);
    table.integer("process_peak_bytes", result.memory.processPeak);
    addMemory(table, result.memory, ran);
    table.text("memory_self_test", selfTestText(result.memory.selfTest));
    addStorage(table, result.storage);
    for (const std::string& stage : layout.stages) {
        const StageSamples* samples = findStage(result, stage);
        table.integer(stage + "_peak_bytes",
                      samples == nullptr ? std::nullopt : samples->peakBytes);
    }
    addRunDetails(table, result, ran);
}

void addSample(CsvTable& table, const Measurement& row, std::size_t index,
               const RowColumns& columns)
{
    const CsvLayout& layout = columns.layout;
    addKey(table, row, columns.labels);
    table.integer("sample", static_cast<std::int64_t>(index));
    const auto& discards = row.result.discards;
    const auto discard = std::find_if(discards.begin(), discards.end(),
                                      [&](const Discard& each) { return each.sample == index; });
    table.text("discarded", discard == discards.end() ? std::string() : discardText(*discard));
    table.number("host_seconds_per_pass", at(row.result.hostSeconds, index));
    table.number("device_seconds_per_pass", at(row.result.deviceSeconds, index));
    for (const std::string& stage : layout.stages) {
        const StageSamples* samples = findStage(row.result, stage);
        table.number(stage + "_seconds_per_pass",
                     samples == nullptr ? std::nullopt : at(samples->seconds, index));
    }
}

// Writes the head, then the lines that `add` makes of each row.
Status writeTable(const RunData& data, bool formulaSafe, const TextSink& sink,
                  const std::function<void(CsvTable& table)>& addNothing,
                  const std::function<void(CsvTable& table, const Measurement& row)>& add)
{
    CsvTable empty(formulaSafe);
    addNothing(empty);
    empty.dropLine();
    QS_RETURN_IF_ERROR(sink(empty.take()));
    return writeRowTexts(
        data,
        [&](const Measurement& row) {
            CsvTable table = empty;  // it has the head already
            add(table, row);
            return table.take();
        },
        sink);
}

}  // namespace

Status writeMeasurementsCsv(const RunData& data, const RowOutline& rows, bool formulaSafe,
                            const TextSink& sink)
{
    const RowColumns columns{.layout = layoutOf(data.plan, rows), .labels = labelsOf(data.plan)};
    return writeTable(
        data, formulaSafe, sink,
        [&](CsvTable& table) { addMeasurement(table, Measurement(), columns); },
        [&](CsvTable& table, const Measurement& row) {
            addMeasurement(table, row, columns);
            table.endLine();
        });
}

Status writeSamplesCsv(const RunData& data, const RowOutline& rows, bool formulaSafe,
                       const TextSink& sink)
{
    const RowColumns columns{.layout = layoutOf(data.plan, rows), .labels = labelsOf(data.plan)};
    return writeTable(
        data, formulaSafe, sink,
        [&](CsvTable& table) { addSample(table, Measurement(), 0, columns); },
        [&](CsvTable& table, const Measurement& row) {
            const std::size_t count =
                std::max(row.result.hostSeconds.size(), row.result.deviceSeconds.size());
            for (std::size_t i = 0; i < count; ++i) {
                addSample(table, row, i, columns);
                table.endLine();
            }
        });
}

}  // namespace qs::core
