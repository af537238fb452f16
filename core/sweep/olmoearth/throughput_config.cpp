#include "core/sweep/olmoearth/throughput_config.h"

#include "core/base/clean_text.h"
#include "core/sweep/baseline_frames.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/measurement_settings.h"
#include "core/sweep/olmoearth/run_name.h"
#include "core/sweep/olmoearth/sweep_keys.h"
#include "core/sweep/olmoearth/swept_cells.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace qs::core::olmoearth {

namespace {

constexpr const char* kAll = "all";
constexpr std::size_t kMostRuns = 10'000;
constexpr double kLongestInterval = 2.0;  // times what is asked for
constexpr const char* kAutocast = "bf16-autocast";
constexpr const char* kBestAutocast = "best-bf16-autocast";

const char* const kDescription =
    "A sweep of OlmoEarth's throughput benchmark. bf16 runs have 32-bit weights under autocast and "
    "are compiled in Inductor's default mode, int8 runs quantize the layers that its expressions "
    "match and are compiled in their own mode: ratios between them hold both differences. Weights "
    "are generated, as there. Beside them a run measures the bf16 eager cells that outputs are "
    "compared with.";
const char* const kAgainstEager =
    " Ratios are formed with these, which are not compiled: not every cell has a bf16 run beside "
    "it.";

// A member that is swept with its values.
struct Swept {
    std::string param;
    std::vector<Json> values;
};

std::string knownKeys()
{
    std::string list = kAll;
    for (const SweepKey& key : sweepKeys())
        list += ", " + key.name;
    return list;
}

std::vector<Swept> sweptOfKeys(const Json& json, const std::string& path,
                               std::vector<JsonIssue>& issues)
{
    std::vector<Swept> swept;
    const auto add = [&](const SweepKey& key) {
        swept.push_back({key.param, {key.values.begin(), key.values.end()}});
    };
    if (!json.is_array()) {
        issues.push_back({path, "expected a list of sweep keys: " + knownKeys()});
        return swept;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string name = json[i].is_string() ? json[i].get<std::string>() : std::string();
        const auto& keys = sweepKeys();
        const auto found = std::find_if(keys.begin(), keys.end(),
                                        [&](const SweepKey& key) { return key.name == name; });
        if (name == kAll)
            std::for_each(keys.begin(), keys.end(), add);
        else if (found != keys.end())
            add(*found);
        else
            issues.push_back({path + "[" + std::to_string(i) + "]",
                              "is no sweep key; there are " + knownKeys()});
    }
    return swept;
}

std::vector<Swept> sweptOfDict(const Json& json, const std::string& path,
                               std::vector<JsonIssue>& issues)
{
    std::vector<Swept> swept;
    if (!json.is_object()) {
        issues.push_back({path, "expected an object with a list of values for each run parameter"});
        return swept;
    }
    for (const auto& [param, values] : json.items()) {
        const std::string place = path + "." + param;
        if (!values.is_array() || values.empty()) {
            issues.push_back({place, "expected a list of values"});
            continue;
        }
        // The first that is wrong, and not again for all that follow or what they are combined
        // with.
        const std::size_t before = issues.size();
        RunParams any;
        for (const Json& value : values) {
            if (issues.size() == before)
                setRunParam(any, param, value, place, issues);
        }
        if (issues.size() == before)
            swept.push_back({param, {values.begin(), values.end()}});
    }
    return swept;
}

RunParams paramsFrom(const Json& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    RunParams params;
    if (!json.is_object()) {
        issues.push_back({path, "expected an object of run parameters"});
        return params;
    }
    for (const auto& [name, value] : json.items())
        setRunParam(params, name, value, path + "." + name, issues);
    return params;
}

// What a ThroughputBenchmarkRunnerConfig says.
struct Config {
    RunParams usual;
    std::vector<Swept> swept;
    bool cross = false;
    std::string group = {};
    std::string place = {};  // of what is swept
};

bool isGiven(const Json* member)
{
    return member != nullptr && !member->is_null();
}

Config configFrom(const Json& json, std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, "$", issues);
    Config config;
    if (const Json* params = fields.find("default_run_params"))
        config.usual = paramsFrom(*params, "$.default_run_params", issues);
    const Json* keys = fields.find("sweep_keys");
    const Json* dict = fields.find("sweep_dict");
    config.place = isGiven(keys) ? "$.sweep_keys" : "$.sweep_dict";
    if (isGiven(keys) && isGiven(dict))
        fields.complain("sweep_dict", "stands beside \"sweep_keys\"; give one of them");
    else if (isGiven(keys))
        config.swept = sweptOfKeys(*keys, config.place, issues);
    else if (isGiven(dict))
        config.swept = sweptOfDict(*dict, config.place, issues);
    config.cross = fields.flag("cross_product_sweep", false);
    config.group = cleanLine(fields.text("sweep_group_name"));
    fields.finish();
    return config;
}

bool isBareRun(const Json& json)
{
    return !json.contains("default_run_params") && !json.contains("sweep_keys") &&
           !json.contains("sweep_dict");
}

// One value of each member, and the rest of the default run, which ends the list.
std::vector<RunParams> expand(const Config& config, std::vector<JsonIssue>& issues)
{
    std::vector<RunParams> runs{config.usual};
    std::vector<RunParams> all;
    for (const Swept& swept : config.swept) {
        const std::size_t more = (config.cross ? runs.size() : 1) * swept.values.size();
        if (more + all.size() > kMostRuns) {
            issues.push_back({config.place, "asks for more than 10000 runs"});
            return {};
        }
        std::vector<RunParams> further;
        for (const RunParams& run : config.cross ? runs : std::vector<RunParams>{config.usual}) {
            for (const Json& value : swept.values) {
                further.push_back(run);
                setRunParam(further.back(), swept.param, value, config.place + "." + swept.param,
                            issues);
            }
        }
        if (config.cross)
            runs = std::move(further);
        else
            all.insert(all.end(), further.begin(), further.end());
    }
    if (config.cross && !config.swept.empty())
        all = std::move(runs);
    all.push_back(config.usual);
    return all;
}

void addNotes(const std::vector<std::string>& more, std::vector<std::string>& notes)
{
    for (const std::string& note : more) {
        if (std::find(notes.begin(), notes.end(), note) == notes.end())
            notes.push_back(note);
    }
}

MeasurementSettings measurementOf(const RunParams& run)
{
    MeasurementSettings settings;
    settings.stopping = StoppingKind::Time;
    settings.minimumSampleSeconds = static_cast<double>(run.intervalSeconds);
    settings.maximumSampleSeconds = kLongestInterval * settings.minimumSampleSeconds;
    settings.minimumSamples = static_cast<int>(run.batchesPerInterval);
    settings.maximumSamples =
        std::max(defaultMaximumSamples(StoppingKind::Time), settings.minimumSamples);
    return settings;
}

// Runs without int8, if every cell has one of its shape; else the eager cells, which are always
// there.
std::string speedBaselineOf(const std::vector<CellConfig>& cells)
{
    std::set<std::string> found;
    for (const CellConfig& cell : cells) {
        if (allStagesAre(cell, kAutocast))
            found.insert(baselineFrame(kBestAutocast, cell));
    }
    const bool all = std::all_of(cells.begin(), cells.end(), [&](const CellConfig& cell) {
        return found.contains(baselineFrame(kBestAutocast, cell));
    });
    return all ? kBestAutocast : "bf16-eager";
}

// A member in which runs of one cell differ, unless what it does not do is told already.
void noteEqualCell(const RunParams& run, const RunParams& other, std::vector<std::string>& notes)
{
    for (const std::string& param : differingParams(run, other)) {
        const bool told = std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
            return note.starts_with(param + ":");
        });
        if (!told)
            notes.push_back(param + ": not every value makes a cell of its own; equal cells are "
                                    "measured once, for as long as the default run says");
    }
}

// One for each run that can be.
std::vector<CellConfig> cellsOf(ThroughputSweep& sweep)
{
    std::vector<CellConfig> cells;
    std::map<std::string, const RunParams*> first;  // of each cell
    for (const RunParams& run : sweep.runs)
        addNotes(unusedParams(run), sweep.notes);
    for (const RunParams& run : sweep.runs) {
        auto cell = cellOf(run);
        if (!cell.ok()) {
            addNotes({"left out: " + runName(run) + ": " + cell.error().message}, sweep.notes);
            continue;
        }
        const auto [same, isNew] = first.try_emplace(cellKey(cell.value()), &run);
        if (!isNew)
            noteEqualCell(run, *same->second, sweep.notes);
        cells.push_back(std::move(cell).value());
    }
    return cells;
}

void complete(ThroughputSweep& sweep, const std::string& name, std::vector<JsonIssue>& issues)
{
    const std::vector<CellConfig> cells = cellsOf(sweep);
    if (cells.empty()) {
        issues.push_back({"$", "no run can be built: " + sweep.notes.back()});
        return;
    }
    sweep.preset = presetOfCells(cells);
    sweep.preset.name = name;
    sweep.preset.speedBaseline = speedBaselineOf(cells);
    sweep.preset.description = kDescription;
    if (sweep.preset.speedBaseline != kBestAutocast)
        sweep.preset.description += kAgainstEager;
    if (!sweep.notes.empty())
        sweep.preset.description += " Not used:";
    for (const std::string& note : sweep.notes)
        sweep.preset.description += " " + note + ".";
    sweep.preset.rounds = 1;
    sweep.preset.noiseFloor = false;  // the benchmark has no such runs
    sweep.preset.measurement = measurementOf(sweep.runs.back());
}

}  // namespace

bool isThroughputConfig(const JsonView& json)
{
    if (!json.isObject() || json.member("schema_version"))
        return false;
    const auto& names = runParamNames();
    return json.member("default_run_params") || json.member("sweep_keys") ||
           json.member("sweep_dict") ||
           std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return json.member(name).has_value(); });
}

Result<ThroughputSweep> throughputSweepOf(const Json& json, const std::string& file)
{
    std::vector<JsonIssue> issues;
    ThroughputSweep sweep = throughputSweep(json, issues);
    if (!issues.empty())
        return Error{ErrorCode::Format, file + ": not a usable sweep:\n" + formatIssues(issues)};
    return sweep;
}

ThroughputSweep throughputSweep(const Json& json, std::vector<JsonIssue>& issues)
{
    ThroughputSweep sweep;
    const std::size_t before = issues.size();
    const Config config = isBareRun(json)
                              ? Config{.usual = paramsFrom(json, "$", issues), .swept = {}}
                              : configFrom(json, issues);
    if (issues.size() == before)
        sweep.runs = expand(config, issues);
    if (issues.size() == before)
        complete(sweep, config.group.empty() ? runName(config.usual) : config.group, issues);
    return sweep;
}

Result<ThroughputSweep> sweepOfRunName(std::string_view name)
{
    QS_TRY(const ParsedRunName parsed, parseRunName(name));
    ThroughputSweep sweep;
    sweep.runs = {parsed.params};
    for (const std::string& untold : parsed.untold)
        sweep.notes.push_back(untold + ": the name does not tell");
    std::vector<JsonIssue> issues;
    complete(sweep, runName(parsed.params), issues);
    if (!issues.empty())
        return Error{ErrorCode::InvalidArgument, formatIssues(issues)};
    return sweep;
}

}  // namespace qs::core::olmoearth
