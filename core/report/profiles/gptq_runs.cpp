#include "core/report/profiles/gptq_runs.h"

#include "core/report/row_texts.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/cell_workload.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

namespace qs::core {

namespace {

struct Published {
    const char* model;
    std::int64_t block;
    const char* scenario;
};
constexpr Published kPublished[] = {{"llama:tinyllama-1.1b", 128, "tinyllama"},
                                    {"llama:qwen2.5-3b", 128, "qwen3b"},
                                    {"llama:tinyllama-1.1b", 64, "blocksize_64"},
                                    {"llama:tinyllama-1.1b", 256, "blocksize_256"}};

// "q_proj" of "model.layers.3.self_attn.q_proj"
std::string typeOf(const std::string& module)
{
    const auto dot = module.rfind('.');
    return dot == std::string::npos ? module : module.substr(dot + 1);
}

std::optional<MemoryFigures> ofLast(const MemoryFigures& memory)
{
    return memory.allocatedPeak ? std::optional(memory) : std::nullopt;
}

std::optional<MemoryFigures> ofFirst(MemoryFigures memory)
{
    if (!memory.firstSample)
        return std::nullopt;
    memory.allocatedPeak = memory.firstSample->allocatedPeak;
    memory.reservedPeak = memory.firstSample->reservedPeak;
    memory.reserved = memory.firstSample->reserved;
    return memory;
}

void takeRuns(const CellResult& result, GptqCell& cell)
{
    const bool isFirstDiscarded = result.firstSampleSeconds.has_value();
    if (isFirstDiscarded)
        cell.runs.push_back({.cold = true, .memory = ofFirst(result.memory)});
    for (std::size_t i = 0; i < result.hostSeconds.size(); ++i) {
        if (std::any_of(result.discards.begin(), result.discards.end(),
                        [&](const Discard& each) { return each.sample == i; }))
            continue;
        GptqRun run;
        if (i + 1 == result.hostSeconds.size())
            run.memory = ofLast(result.memory);
        else if (i == 0 && !isFirstDiscarded)
            run.memory = ofFirst(result.memory);
        cell.runs.push_back(std::move(run));
    }
}

void takeRow(const Measurement& row, GptqCell& cell)
{
    const CellResult& result = row.result;
    if (const auto first = result.firstSampleSeconds)
        cell.coldSeconds.push_back(*first);
    for (const double seconds : result.counted(result.hostSeconds))
        cell.seconds.push_back(seconds);
    takeRuns(result, cell);
    for (const StageCalibration& stage : result.calibration) {
        cell.solvedLayers += std::ssize(stage.layers);
        for (const SolvedLayer& layer : stage.layers) {
            SolvedFigure& figure = cell.layers[typeOf(layer.module)];
            figure.seconds.add(layer.seconds);
            figure.loss.add(layer.loss);
        }
    }
}

GptqWay wayOf(const std::string& by)
{
    if (by == "straight")
        return GptqWay::Straight;
    if (by == "kernel")
        return GptqWay::Kernel;
    return by == "compiled" ? GptqWay::Compiled : GptqWay::Improved;
}

// The scheme of the cell without "by", and how it goes through the columns.
struct ReadPrecision {
    std::string text;
    std::int64_t block = 0;
    GptqWay way = GptqWay::Improved;
};

// Nothing of a cell that GPTQ does not quantize.
std::optional<ReadPrecision> readPrecision(const CellConfig& config)
{
    const auto scheme = parseScheme(config.precision.front());
    if (!scheme.ok() || scheme.value()->solver.empty())
        return std::nullopt;
    ReadPrecision read;
    read.block = scheme.value().whole("block");
    const std::string by = ":by=" + scheme.value().word("by");
    read.way = wayOf(scheme.value().word("by"));
    read.text = precisionText(config);
    for (auto place = read.text.find(by); place != std::string::npos; place = read.text.find(by))
        read.text.erase(place, by.size());
    return read;
}

// Letters, digits and a few marks alone.
std::string folderName(const std::string& text)
{
    std::string name;
    for (const char letter : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                           letter == '.' || letter == '_';
        name += plain ? letter : '_';
    }
    return name;
}

std::string scenarioName(const CellConfig& config, const ReadPrecision& read)
{
    for (const Published& each : kPublished) {
        if (config.model == each.model && read.block == each.block)
            return each.scenario;
    }
    const auto slash = config.model.find_last_of("/:");
    return folderName((slash == std::string::npos ? config.model : config.model.substr(slash + 1)) +
                      "_" + read.text);
}

// All but the way through the columns.
std::string keyOf(const CellSummary& summary, const ReadPrecision& read)
{
    CellConfig config = summary.cell->config;
    config.precision = {read.text};
    return cellKey(config);
}

// Where each cell lies among the scenarios, by its id.
using Places = std::map<std::string, std::pair<std::size_t, std::size_t>>;

bool isAnswering(const CellConfig& config)
{
    return !isQuantizing(config) && config.sizes.find("new_tokens").value_or(0) > 0;
}

struct ReadCell {
    const CellSummary* summary;
    ReadPrecision precision;
    std::string key;
};

std::vector<ReadCell> readCells(const Analysis& analysis)
{
    std::vector<ReadCell> cells;
    for (const CellSummary* summary : profiledCells(analysis)) {
        const CellConfig& config = summary->cell->config;
        if (!isAnswering(config) && !isQuantizing(config))
            continue;
        if (auto read = readPrecision(config))
            cells.push_back({summary, *read, keyOf(*summary, *read)});
    }
    return cells;
}

std::vector<GptqScenario> collect(const Analysis& analysis, Places& places)
{
    const std::vector<ReadCell> cells = readCells(analysis);
    std::map<std::string, std::string> measuredIn;  // the first environment of each key
    for (const ReadCell& cell : cells) {
        if (!cell.summary->environmentId.empty())
            measuredIn.emplace(cell.key, cell.summary->environmentId);
    }
    std::vector<GptqScenario> scenarios;
    std::map<std::string, std::size_t> byKey;
    std::set<std::string> names;
    for (const auto& [summary, precision, key] : cells) {
        const std::string& own = summary->environmentId;
        const auto [found, fresh] =
            byKey.emplace(key + (own.empty() ? measuredIn[key] : own), scenarios.size());
        if (fresh) {
            const std::string name = scenarioName(summary->cell->config, precision);
            std::string unique = name;
            for (int number = 2; !names.insert(unique).second; ++number)
                unique = name + "_" + std::to_string(number);
            scenarios.push_back(
                {.name = unique, .answers = isAnswering(summary->cell->config), .cells = {}});
        }
        GptqScenario& scenario = scenarios[found->second];
        places[summary->cellId] = {found->second, scenario.cells.size()};
        scenario.cells.push_back({.summary = summary, .way = precision.way});
    }
    return scenarios;
}

// What another program counted that measured the same model in the same precision.
std::optional<DynamoCounters> countersOf(const std::vector<RunReference>& references,
                                         const CellConfig& config)
{
    for (const RunReference& reference : references) {
        if (!reference.results || reference.results->model != config.model)
            continue;
        for (const ReferenceRow& row : reference.results->rows) {
            if (row.counters && row.precision == precisionText(config))
                return row.counters;
        }
    }
    return std::nullopt;
}

void append(GptqCell& cell, const GptqCell& row)
{
    cell.coldSeconds.insert(cell.coldSeconds.end(), row.coldSeconds.begin(), row.coldSeconds.end());
    cell.seconds.insert(cell.seconds.end(), row.seconds.begin(), row.seconds.end());
    cell.runs.insert(cell.runs.end(), row.runs.begin(), row.runs.end());
    cell.models += row.solvedLayers > 0 ? 1 : 0;
    cell.solvedLayers = std::max(cell.solvedLayers, row.solvedLayers);
    for (const auto& [type, figure] : row.layers) {
        cell.layers[type].seconds.add(figure.seconds);
        cell.layers[type].loss.add(figure.loss);
    }
}

}  // namespace

std::optional<double> GptqCell::coldRun() const
{
    if (coldSeconds.empty())
        return std::nullopt;
    return momentsOf(coldSeconds).mean() + (compile() ? compile()->coldSeconds : 0.0);
}

std::optional<double> GptqCell::firstRun() const
{
    if (compiles())
        return coldRun();
    return seconds.empty() ? std::nullopt : std::optional(seconds.front());
}

const CellSummary& GptqScenario::witness() const
{
    const auto worth = [](const GptqCell& cell) {
        return cell.summary->measured ? 2 : int{!cell.summary->environmentId.empty()};
    };
    return *std::max_element(cells.begin(), cells.end(), [&](const GptqCell& a, const GptqCell& b) {
                return worth(a) < worth(b);
            })->summary;
}

const GptqCell* GptqScenario::find(GptqWay way) const
{
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const GptqCell& each) { return each.way == way; });
    return found == cells.end() ? nullptr : &*found;
}

const GptqCell* GptqScenario::compiled() const
{
    const GptqCell* compiled = find(GptqWay::Compiled);
    const GptqCell* improved = find(GptqWay::Improved);
    const bool silent = compiled == nullptr || (answers && !compiled->summary->measured);
    return silent && improved != nullptr ? improved : compiled;
}

Result<std::vector<GptqScenario>> gptqScenarios(const RunData& data, const Analysis& analysis)
{
    Places places;
    std::vector<GptqScenario> scenarios = collect(analysis, places);
    const auto cellOf = [&](const std::string& id) -> GptqCell* {
        const auto found = places.find(id);
        return found == places.end() ? nullptr
                                     : &scenarios[found->second.first].cells[found->second.second];
    };
    QS_RETURN_IF_ERROR(forEachRow(data, [&](const Measurement& row) -> std::function<void()> {
        GptqCell* cell = cellOf(row.cellId);
        if (!row.ok() || cell == nullptr || cell->summary->environmentId != row.environmentId)
            return [] {};
        GptqCell one;
        takeRow(row, one);
        return [cell, one = std::move(one)] { append(*cell, one); };
    }));
    const std::vector<RunReference> references = referencesOf(data.folder);
    for (GptqScenario& scenario : scenarios) {
        for (GptqCell& cell : scenario.cells)
            cell.dynamo = countersOf(references, cell.summary->cell->config);
    }
    return scenarios;
}

}  // namespace qs::core
