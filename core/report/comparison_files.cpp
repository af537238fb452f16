#include "core/analysis/cell_label.h"
#include "core/report/comparison_report.h"
#include "core/report/csv_columns.h"
#include "core/report/csv_table.h"
#include "core/report/json_values.h"
#include "core/report/report.h"
#include "core/report/words/comparison_text.h"
#include "core/report/words/environment_field_text.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

std::optional<double> lowerEnd(const std::optional<Interval>& interval)
{
    return interval ? std::optional(interval->lower) : std::nullopt;
}

std::optional<double> upperEnd(const std::optional<Interval>& interval)
{
    return interval ? std::optional(interval->upper) : std::nullopt;
}

void addSide(CsvTable& table, const char* side, const CellSummary* summary)
{
    const bool measured = summary != nullptr && summary->measured;
    const std::string prefix(side);
    const auto interval = measured ? summary->throughputInterval() : std::nullopt;
    table.number(prefix + "_throughput_per_second",
                 measured ? std::optional(summary->throughput) : std::nullopt);
    table.number(prefix + "_throughput_per_second_lower_95", lowerEnd(interval));
    table.number(prefix + "_throughput_per_second_upper_95", upperEnd(interval));
    table.integer(prefix + "_allocated_peak_bytes",
                  measured ? summary->memory.allocatedPeak : std::nullopt);
    table.text(prefix + "_status",
               summary == nullptr ? std::string_view() : kStatusNames.of(summary->status));
}

void addSpeed(CsvTable& table, const MatchedCell& cell)
{
    const auto& speed = cell.speed;
    table.number("speedup_ratio",
                 speed ? std::optional(speed->evidence.ratio.value) : std::nullopt);
    table.number("speedup_ratio_lower_95",
                 speed ? lowerEnd(speed->evidence.ratio.interval) : std::nullopt);
    table.number("speedup_ratio_upper_95",
                 speed ? upperEnd(speed->evidence.ratio.interval) : std::nullopt);
    table.text("speed_verdict", speed ? toString(speed->verdict) : "");
    table.number("speed_verdict_p_value_corrected",
                 speed ? std::optional(speed->pValue) : std::nullopt);
}

void addCell(CsvTable& table, const std::string& run, const std::string& change,
             const std::string& label, const CsvLayout& layout, const MatchedCell& cell)
{
    const CellSummary* before = cell.before;
    table.text("label", label);
    table.text("run", run);
    table.text("changed", change);
    table.text("cell_before", before == nullptr ? std::string() : before->cellId);
    table.text("cell_after", cell.after == nullptr ? std::string() : cell.after->cellId);
    addConfig(table, before == nullptr ? CellConfig() : before->cell->config, layout);
    addSide(table, "before", before);
    addSide(table, "after", cell.after);
    addSpeed(table, cell);
    table.text("quality_verdict", cell.quality ? toString(cell.quality->verdict) : "");
    if (cell.identical)
        table.flag("outputs_identical", *cell.identical);
    else
        table.empty("outputs_identical");
    table.number("memory_ratio", cell.memoryRatio);
    table.text("status_change", before == nullptr ? std::string() : statusChangeText(cell.status));
}

Json sideJson(const CellSummary& summary)
{
    const auto interval = summary.throughputInterval();
    return {{"cell", summary.cellId},
            {"status", kStatusNames.of(summary.status)},
            {"throughput_per_second", summary.measured ? Json(summary.throughput) : Json()},
            {"throughput_interval_95", intervalJson(interval)},
            {"allocated_peak_bytes", orNull(summary.memory.allocatedPeak)}};
}

Json speedJson(const std::optional<SpeedClaim>& claim)
{
    if (!claim)
        return {};
    const auto& interval = claim->evidence.ratio.interval;
    return {{"ratio", claim->evidence.ratio.value},
            {"interval_95", intervalJson(interval)},
            {"verdict", toString(claim->verdict)},
            {"p_value_corrected", claim->pValue}};
}

Json qualityJson(const std::optional<QualityChange>& change)
{
    if (!change)
        return {};
    return {{"verdict", toString(change->verdict)},
            {"closer_by", change->evidence.closer.value},
            {"images", change->evidence.closer.count},
            {"p_value_corrected", change->pValue}};
}

Json changesJson(const RunComparison& comparison)
{
    Json list = Json::array();
    for (const ChangedAxis& axis : comparison.changed)
        list.push_back({{"what", axis.name}, {"before", axis.before}, {"after", axis.after}});
    for (const EnvironmentField& field : comparison.environment) {
        if (!field.differs || field.values.size() < 2)
            continue;
        const std::vector<std::string> values = fieldValues(field);
        list.push_back(
            {{"what", fieldName(field)}, {"before", values.front()}, {"after", values.back()}});
    }
    return list;
}

Json labelsOf(const std::vector<const CellSummary*>& cells, const CellLabels& labels)
{
    Json list = Json::array();
    for (const CellSummary* summary : cells)
        list.push_back(labels.withBatch(*summary->cell));
    return list;
}

Json comparedJson(const NamedComparison& other, const CellLabels& labels)
{
    const RunComparison& comparison = other.comparison;
    Json cells = Json::array();
    for (const MatchedCell& cell : comparison.cells)
        cells.push_back({{"label", labels.withBatch(*cell.before->cell)},
                         {"config", toJson(cell.before->cell->config)},
                         {"before", sideJson(*cell.before)},
                         {"after", sideJson(*cell.after)},
                         {"speed", speedJson(cell.speed)},
                         {"quality", qualityJson(cell.quality)},
                         {"outputs_identical", orNull(cell.identical)},
                         {"memory_ratio", orNull(cell.memoryRatio)},
                         {"other_weights", cell.otherWeights},
                         {"other_device", cell.otherDevice},
                         {"status_change", statusChangeText(cell.status)}});
    const ComparisonCounts counts = countChanges(comparison);
    return {{"run", other.name},
            {"answer", comparisonAnswer(comparison)},
            {"changed", changesJson(comparison)},
            {"same_images", comparison.sameImages},
            {"counts",
             {{"matched", comparison.cells.size()},
              {"faster", counts.faster},
              {"slower", counts.slower},
              {"undecided", counts.undecided},
              {"better", counts.better},
              {"worse", counts.worse},
              {"more_memory", counts.moreMemory},
              {"broken", counts.broken}}},
            {"cells", std::move(cells)},
            {"only_before", labelsOf(comparison.onlyBefore, labels)},
            {"only_after", labelsOf(comparison.onlyAfter, other.side.analysis->labels)}};
}

}  // namespace

std::string comparisonCsv(const ComparedRuns& runs, bool formulaSafe)
{
    const CellLabels& labels = runs.base.analysis->labels;
    const CsvLayout layout = layoutOf(runs.base.data->plan, runs.base.analysis->rows);
    CsvTable table(formulaSafe);
    addCell(table, {}, {}, {}, layout, MatchedCell());
    table.dropLine();
    for (const NamedComparison& other : runs.others) {
        const std::string change = changeText(other.comparison);
        for (const MatchedCell& cell : other.comparison.cells) {
            addCell(table, other.name, change, labels.withBatch(*cell.before->cell), layout, cell);
            table.endLine();
        }
    }
    return table.content();
}

Json comparisonJson(const ComparedRuns& runs)
{
    const CellLabels& labels = runs.base.analysis->labels;
    Json others = Json::array();
    for (const NamedComparison& other : runs.others)
        others.push_back(comparedJson(other, labels));
    return {{"schema_version", kReportSchemaVersion},
            {"base", runs.baseName},
            {"comparisons", std::move(others)}};
}

}  // namespace qs::core
