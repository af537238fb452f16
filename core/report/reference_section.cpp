#include "core/report/reference_section.h"

#include "core/analysis/reference_figures.h"
#include "core/base/format.h"
#include "core/report/csv_table.h"
#include "core/report/html/html_text.h"
#include "core/report/json_values.h"
#include "core/report/markdown_text.h"

#include <set>

namespace qs::core {

namespace {

constexpr const char* kReferencesTitle = "Other programs";
constexpr const char* kReferencesMeaning =
    "Reference results: other programs measured the same network, apart from the rounds of this "
    "run. They get no verdict. A time is the median over rounds, the range goes from the "
    "lowest to the highest round; the distance is to the program's own bf16 eager.";
const std::string kAbsent = "–";

std::string orAbsent(const std::optional<double>& seconds)
{
    return seconds ? formatSeconds(*seconds) : kAbsent;
}

std::vector<std::string> referenceLine(const ReferenceRow& row)
{
    const auto figures = row.status == ReferenceStatus::Ok ? figuresOf(row) : std::nullopt;
    return {row.precision,
            row.mode,
            std::to_string(row.batch),
            row.quantizedLayers > 0 ? std::to_string(row.quantizedLayers) : kAbsent,
            figures ? formatSeconds(figures->seconds) : kAbsent,
            figures ? formatSeconds(figures->lowest) + " – " + formatSeconds(figures->highest)
                    : kAbsent,
            figures ? formatSignificant(figures->throughput, 3) : kAbsent,
            figures ? std::to_string(figures->rounds) + " / " + std::to_string(figures->samples)
                    : kAbsent,
            orAbsent(row.firstCallSeconds),
            graphBreaksText(row),
            row.outputDistance ? formatSignificant(*row.outputDistance, 2) : kAbsent,
            statusText(row)};
}

// "2026-11-27 02:28 UTC" of "2026-11-27T02:28:43Z"; what is not written so stays as it is.
std::string minuteText(const std::string& time)
{
    constexpr std::size_t kDay = 10;
    constexpr std::size_t kMinute = 16;
    const bool iso = time.size() > kMinute && time[kDay] == 'T' && time.back() == 'Z';
    return iso ? time.substr(0, kDay) + " " + time.substr(kDay + 1, kMinute - kDay - 1) + " UTC"
               : time;
}

std::string differenceText(const ReferenceMatch& match)
{
    std::string text;
    if (match.model == Sameness::Different)
        text += " Its weights are others than those of this run.";
    if (match.sizes == Sameness::Different)
        text += " No cell of this run has its sizes.";
    if (match.device == Sameness::Different)
        text += " It was measured on another device than this run.";
    return text;
}

// " bf16 eager at batch 1: 2.31 ms there, 2.29 ms in this run."
std::string eagerText(const ReferenceResults& results, const Analysis& analysis)
{
    std::set<std::int64_t> batches;
    for (const ReferenceRow& row : results.rows)
        batches.insert(row.batch);
    std::string text;
    for (const std::int64_t batch : batches) {
        const CellSummary* own = ownEager(analysis, results, batch);
        const ReferenceRow* row = theirEager(results, batch);
        const auto theirs = row == nullptr ? std::nullopt : figuresOf(*row);
        if (own != nullptr && theirs)
            text += " bf16 eager at batch " + std::to_string(batch) + ": " +
                    formatSeconds(theirs->seconds) + " there, " + formatSeconds(own->seconds) +
                    " in this run.";
    }
    return text;
}

std::string introduction(const RunReference& reference, const RunData& data,
                         const Analysis& analysis)
{
    const std::string compared = comparedText(*reference.results, data, analysis);
    return reference.file + ": " + originText(*reference.results) +
           (compared.empty() ? compared : " " + compared);
}

Json countersJson(const ReferenceRow& row)
{
    if (!row.counters)
        return {};
    Json breaks = Json::array();
    for (const GraphBreak& each : row.counters->graphBreaks)
        breaks.push_back({{"reason", each.reason}, {"count", each.count}});
    return {{"frames", row.counters->frames},
            {"frames_compiled", row.counters->framesCompiled},
            {"unique_graphs", row.counters->uniqueGraphs},
            {"calls_captured", row.counters->callsCaptured},
            {"graph_breaks", std::move(breaks)}};
}

Json referenceRowJson(const ReferenceRow& row)
{
    const auto figures = figuresOf(row);
    return {{"precision", row.precision},
            {"mode", row.mode},
            {"batch", row.batch},
            {"units_per_pass", row.unitsPerPass},
            {"status", kReferenceStatuses.of(row.status)},
            {"reason", row.reason},
            {"seconds_per_pass_median", figures ? Json(figures->seconds) : Json()},
            {"throughput_per_second", figures ? Json(figures->throughput) : Json()},
            {"passes_per_sample", row.passesPerSample},
            {"rounds", row.rounds},
            {"first_call_seconds", orNull(row.firstCallSeconds)},
            {"quantized_layers", row.quantizedLayers},
            {"output_distance", orNull(row.outputDistance)},
            {"counters", countersJson(row)},
            {"counters_missing", row.countersMissing}};
}

void addReference(CsvTable& table, const std::string& file, const ReferenceResults& results,
                  const ReferenceRow& row)
{
    const auto figures = figuresOf(row);
    const auto number = [&](const char* column, double ReferenceFigures::*member) {
        table.number(column, figures ? std::optional((*figures).*member) : std::nullopt);
    };
    const auto counter = [&](const char* column, std::int64_t DynamoCounters::*member) {
        table.integer(column, row.counters ? std::optional((*row.counters).*member) : std::nullopt);
    };
    const auto device = results.environment.find("device");
    table.text("file", file);
    table.text("program", results.program);
    table.text("version", results.version);
    table.text("made_at_utc", results.madeAt);
    table.text("device", device == results.environment.end() ? "" : device->second);
    table.text("precision", row.precision);
    table.text("mode", row.mode);
    table.integer("batch", row.batch);
    table.text("status", kReferenceStatuses.of(row.status));
    table.text("reason", row.reason);
    number("seconds_per_pass_median", &ReferenceFigures::seconds);
    number("seconds_per_pass_lowest_round", &ReferenceFigures::lowest);
    number("seconds_per_pass_highest_round", &ReferenceFigures::highest);
    number("throughput_per_second", &ReferenceFigures::throughput);
    table.integer("rounds", static_cast<std::int64_t>(figures ? figures->rounds : 0));
    table.integer("samples", static_cast<std::int64_t>(figures ? figures->samples : 0));
    table.integer("passes_per_sample", row.passesPerSample);
    table.number("first_call_seconds", row.firstCallSeconds);
    table.integer("quantized_layers", row.quantizedLayers);
    table.number("output_distance_relative", row.outputDistance);
    counter("dynamo_frames", &DynamoCounters::frames);
    counter("dynamo_unique_graphs", &DynamoCounters::uniqueGraphs);
    table.integer("dynamo_graph_breaks",
                  row.counters ? std::optional(row.counters->breaks()) : std::nullopt);
    table.text("dynamo_missing", row.countersMissing);
}

}  // namespace

std::string referencesMeaning()
{
    return kReferencesMeaning;
}

PlainTable referenceTable(const ReferenceResults& results)
{
    PlainTable table{{"Precision", "Mode", "Batch", "Quantized", "Pass", "Range",
                      std::string(name(results.unit)) + "s/s", "Rounds / samples", "First call",
                      "Graph breaks", "Distance", "Status"},
                     {}};
    for (const ReferenceRow& row : results.rows)
        table.lines.push_back(referenceLine(row));
    return table;
}

std::string statusText(const ReferenceRow& row)
{
    switch (row.status) {
    case ReferenceStatus::Ok:
        return "ok";
    case ReferenceStatus::Failed:
        return "failed: " + row.reason;
    case ReferenceStatus::Unavailable:
        return "not available: " + row.reason;
    }
    return "";
}

std::string graphBreaksText(const ReferenceRow& row)
{
    if (!row.counters)
        return kAbsent;
    std::string reasons;
    for (const GraphBreak& each : row.counters->graphBreaks)
        reasons += (reasons.empty() ? ": " : "; ") + each.reason +
                   (each.count > 1 ? " (" + std::to_string(each.count) + ")" : "");
    return (reasons.empty() ? "none" : std::to_string(row.counters->breaks())) + reasons;
}

std::string originText(const ReferenceResults& results)
{
    const auto device = results.environment.find("device");
    std::string text = results.program;
    if (!results.version.empty())
        text += " (" + results.version + ")";
    if (device != results.environment.end())
        text += " on " + device->second;
    if (!results.madeAt.empty())
        text += ", " + minuteText(results.madeAt);
    return text + ".";
}

std::string comparedText(const ReferenceResults& results, const RunData& data,
                         const Analysis& analysis)
{
    const std::string text =
        differenceText(matchOf(results, data, analysis)) + eagerText(results, analysis);
    return text.empty() ? text : text.substr(1);  // each sentence begins with a space
}

std::string referenceSection(const RunData& data, const Analysis& analysis)
{
    std::string text;
    for (const RunReference& each : referencesOf(data.folder)) {
        if (each.results)
            text += markdownText(introduction(each, data, analysis)) + "\n\n" +
                    markdownOf(referenceTable(*each.results)) + "\n";
        else
            text += markdownText(each.error) + "\n\n";
    }
    return text.empty() ? text
                        : std::string("## ") + kReferencesTitle + "\n\n" +
                              markdownText(kReferencesMeaning) + "\n\n" + text;
}

std::string htmlReferences(const RunData& data, const Analysis& analysis)
{
    std::string text;
    for (const RunReference& each : referencesOf(data.folder)) {
        if (each.results)
            text += "<p>" + htmlText(introduction(each, data, analysis)) + "</p>\n" +
                    htmlOf(referenceTable(*each.results));
        else
            text += "<p>" + htmlText(each.error) + "</p>\n";
    }
    return text.empty() ? text
                        : std::string("<section id=\"references\"><h2>") + kReferencesTitle +
                              "</h2>\n<p class=\"dim\">" + htmlText(kReferencesMeaning) + "</p>\n" +
                              text + "</section>\n";
}

std::string referencesCsv(const RunData& data, bool formulaSafe)
{
    CsvTable table(formulaSafe);
    addReference(table, {}, {}, {});
    table.dropLine();
    for (const RunReference& each : referencesOf(data.folder)) {
        if (!each.results)
            continue;
        for (const ReferenceRow& row : each.results->rows) {
            addReference(table, each.file, *each.results, row);
            table.endLine();
        }
    }
    return table.content();
}

Json referencesJson(const RunData& data)
{
    Json list = Json::array();
    for (const RunReference& each : referencesOf(data.folder)) {
        if (!each.results) {
            list.push_back({{"file", each.file}, {"error", each.error}});
            continue;
        }
        Json rows = Json::array();
        for (const ReferenceRow& row : each.results->rows)
            rows.push_back(referenceRowJson(row));
        list.push_back({{"file", each.file},
                        {"program", each.results->program},
                        {"version", each.results->version},
                        {"made_at", each.results->madeAt},
                        {"environment", each.results->environment},
                        {"model", each.results->model},
                        {"rows", std::move(rows)}});
    }
    return list;
}

}  // namespace qs::core
