#include "core/measure/cell_result.h"
#include "core/measure/nanoseconds.h"

#include "core/base/json_enum.h"
#include "core/base/json_list.h"
#include "core/measure/record_limits.h"
#include "core/sweep/measurement_settings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr double kMostMegahertz = 1e6;
constexpr std::int64_t kMostPasses = 1'000'000'000;

std::vector<double> numberList(JsonFields& fields, std::string_view name)
{
    std::vector<double> list;
    const JsonView* json = fields.member(name);
    if (json == nullptr)
        return list;
    bool isValid = json->isList();
    list.reserve(isValid ? json->size() : 0);
    json->forEachItem([&](const JsonView& each) {
        const auto number = each.number();
        // NaN and infinities are numbers in memory, and nothing in a file.
        isValid = isValid && number && std::isfinite(*number);
        if (isValid)
            list.push_back(*number);
    });
    if (!isValid) {
        fields.complain(name, "expected a list of numbers");
        list.clear();
    }
    return list;
}

Json optionalBytes(const std::optional<std::int64_t>& bytes)
{
    return bytes ? Json(*bytes) : Json();
}

std::optional<std::int64_t> optionalBytes(JsonFields& fields, std::string_view name)
{
    const JsonView* json = fields.member(name);
    if (json == nullptr || json->isNull())
        return std::nullopt;
    return fields.integer(name, 0, 0, kLargestCount);
}

Json memoryToJson(const MemoryFigures& memory)
{
    Json json{{"allocated_peak_bytes", optionalBytes(memory.allocatedPeak)},
              {"reserved_peak_bytes", optionalBytes(memory.reservedPeak)},
              {"process_peak_bytes", optionalBytes(memory.processPeak)},
              {"load_allocated_peak_bytes", optionalBytes(memory.loadAllocatedPeak)},
              {"weights_resident_bytes", memory.weightsResident},
              {"states_resident_bytes", memory.statesResident},
              {"allocation_retries", memory.allocationRetries},
              {"self_test", toJson(memory.selfTest)}};
    if (memory.reserved)
        json["reserved_bytes"] = *memory.reserved;
    if (const auto& first = memory.firstSample)
        json["first_sample"] = {{"allocated_peak_bytes", first->allocatedPeak},
                                {"reserved_peak_bytes", first->reservedPeak},
                                {"reserved_bytes", first->reserved}};
    if (memory.graphPool)
        json["graph_pool_bytes"] = *memory.graphPool;
    return json;
}

AllocatorFigures allocatorFromJson(const JsonView& json, const std::string& path,
                                   std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    const auto bytes = [&](std::string_view name) {
        return fields.integer(name, 0, 0, kLargestCount);
    };
    const AllocatorFigures figures{.allocatedPeak = bytes("allocated_peak_bytes"),
                                   .reservedPeak = bytes("reserved_peak_bytes"),
                                   .reserved = bytes("reserved_bytes")};
    fields.finish();
    return figures;
}

MemoryFigures memoryFromJson(const JsonView& json, const std::string& path,
                             std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    MemoryFigures memory;
    memory.allocatedPeak = optionalBytes(fields, "allocated_peak_bytes");
    memory.reservedPeak = optionalBytes(fields, "reserved_peak_bytes");
    memory.reserved = optionalBytes(fields, "reserved_bytes");
    if (const JsonView* first = fields.member("first_sample"))
        memory.firstSample = allocatorFromJson(*first, fields.pathOf("first_sample"), issues);
    memory.graphPool = optionalBytes(fields, "graph_pool_bytes");
    memory.processPeak = optionalBytes(fields, "process_peak_bytes");
    memory.loadAllocatedPeak = optionalBytes(fields, "load_allocated_peak_bytes");
    memory.weightsResident = fields.integer("weights_resident_bytes", 0, 0, kLargestCount);
    memory.statesResident = fields.integer("states_resident_bytes", 0, 0, kLargestCount);
    memory.allocationRetries = fields.integer("allocation_retries", 0, 0, kLargestCount);
    if (const JsonView* test = fields.member("self_test"))
        memory.selfTest = selfTestFromJson(*test, fields.pathOf("self_test"), issues);
    fields.finish();
    return memory;
}

// When things happened and what the device did meanwhile. Members that say nothing are left out:
// most rows have no discards.
void addHistory(Json& json, const CellResult& result)
{
    const auto add = [&](const char* name, const std::vector<double>& values) {
        if (!values.empty())
            json[name] = wholeNanoseconds(values);
    };
    add("end_to_end_s", result.endToEndSeconds);
    add("copy_s", result.copySeconds);
    Json starts = Json::array();
    for (const double start : result.sampleStart)
        starts.push_back(wholeMicroseconds(start));
    if (!starts.empty())
        json["sample_start_s"] = std::move(starts);
    add("warmup_s", result.warmupSeconds);
    if (result.firstSampleSeconds)
        json["first_sample_s"] = wholeNanoseconds(*result.firstSampleSeconds);
    if (result.began > 0.0)
        json["began_monotonic_s"] = wholeNanoseconds(result.began);
    if (result.passesPerSample != 1)
        json["passes_per_sample"] = result.passesPerSample;
    if (result.distinctBatches != 1)
        json["distinct_batches"] = result.distinctBatches;
    if (result.conditions)
        json["conditions"] = toJson(*result.conditions);
    if (result.trace != DeviceTrace())
        json["trace"] = toJson(result.trace);
    if (!result.load.empty())
        json["host_load"] = toJson(result.load);
    if (result.energy)
        json["energy"] = {{"passes", result.energy->passes},
                          {"start_s", wholeNanoseconds(result.energy->start)},
                          {"seconds", wholeNanoseconds(result.energy->seconds)}};
    Json discards = Json::array();
    for (const Discard& discard : result.discards)
        discards.push_back({{"sample", discard.sample},
                            {"cause", kSlowdowns.of(discard.cause)},
                            {"mhz", discard.megahertz}});
    if (!discards.empty())
        json["discards"] = std::move(discards);
}

void readDiscards(JsonFields& fields, std::vector<JsonIssue>& issues, CellResult& result)
{
    forEachObject(fields, "discards", issues, result.discards, [&](JsonFields& each) {
        const auto sample = static_cast<std::size_t>(each.integer("sample", 0, 0, kMostPasses));
        result.discards.push_back({sample,
                                   requireEnum(each, "cause", kSlowdowns, Slowdown::LowClock),
                                   each.number("mhz", 0.0, 0.0, kMostMegahertz)});
    });
    const auto& list = result.discards;
    const auto notAscending = [](const Discard& one, const Discard& next) {
        return one.sample >= next.sample;
    };
    if (std::adjacent_find(list.begin(), list.end(), notAscending) != list.end())
        fields.complain("discards", "expected ascending samples");
}

std::optional<PassStretch> energyFromJson(JsonFields& parent, std::vector<JsonIssue>& issues)
{
    const JsonView* json = parent.member("energy");
    if (json == nullptr)
        return std::nullopt;
    JsonFields fields(*json, parent.pathOf("energy"), issues);
    for (const char* name : {"passes", "start_s", "seconds"})
        static_cast<void>(fields.requiredMember(name));
    PassStretch stretch;
    stretch.passes = fields.integer("passes", 1, 1, kMostPasses);
    stretch.start = fields.number("start_s", 0.0, 0.0, kLongestSeconds);
    stretch.seconds = fields.number("seconds", 0.0, 0.0, kLongestSeconds);
    fields.finish();
    return stretch;
}

void readHistory(JsonFields& fields, std::vector<JsonIssue>& issues, CellResult& result)
{
    result.endToEndSeconds = numberList(fields, "end_to_end_s");
    result.copySeconds = numberList(fields, "copy_s");
    result.sampleStart = numberList(fields, "sample_start_s");
    result.warmupSeconds = numberList(fields, "warmup_s");
    if (fields.has("first_sample_s"))
        result.firstSampleSeconds = fields.number("first_sample_s", 0.0, 0.0, kLongestSeconds);
    result.began = fields.number("began_monotonic_s", 0.0, 0.0, kLongestSeconds);
    result.passesPerSample =
        static_cast<int>(fields.integer("passes_per_sample", 1, 1, kMostPasses));
    result.distinctBatches =
        static_cast<int>(fields.integer("distinct_batches", 1, 1, kMostDistinctBatches));
    if (const JsonView* conditions = fields.member("conditions"))
        result.conditions = conditionsFromJson(*conditions, fields.pathOf("conditions"), issues);
    if (const JsonView* trace = fields.member("trace"))
        result.trace = deviceTraceFromJson(*trace, fields.pathOf("trace"), issues);
    result.energy = energyFromJson(fields, issues);
    readDiscards(fields, issues, result);
}

}  // namespace

Json toJson(const CellResult& result)
{
    Json phases = Json::array();
    for (const PhaseTime& phase : result.phases) {
        phases.push_back({{"name", kPhaseNames.of(phase.phase)},
                          {"seconds", wholeNanoseconds(phase.seconds)},
                          {"start_s", wholeNanoseconds(phase.start)}});
    }
    Json stages = Json::array();
    for (const StageSamples& stage : result.stages)
        stages.push_back({{"stage", stage.stage},
                          {"seconds", wholeNanoseconds(stage.seconds)},
                          {"peak_bytes", optionalBytes(stage.peakBytes)}});
    Json json{{"phases", std::move(phases)},
              {"host_s", wholeNanoseconds(result.hostSeconds)},
              {"device_s", wholeNanoseconds(result.deviceSeconds)},
              {"stages", std::move(stages)},
              {"warmup_passes", result.warmupPasses},
              {"warmup_end", kWarmupEnds.of(result.warmupEnd)},
              {"stop_reason", kStopReasons.of(result.stopReason)},
              {"memory", memoryToJson(result.memory)},
              {"outputs", toJson(result.outputs)},
              {"outputs_finite", result.outputsFinite},
              {"executed", toJson(result.executed)},
              {"attention", result.attention},
              {"graph_launches", result.graphLaunches},
              {"notes", toJson(result.notes)}};
    addHistory(json, result);
    if (!result.modelContent.empty())
        json["model_content"] = result.modelContent;
    Json calibration = Json::array();
    for (const StageCalibration& stage : result.calibration)
        calibration.push_back(toJson(stage));
    if (!calibration.empty())
        json["calibration"] = std::move(calibration);
    Json compiles = Json::array();
    for (const StageCompile& stage : result.compiles)
        compiles.push_back(toJson(stage));
    if (!compiles.empty())
        json["compiles"] = std::move(compiles);
    if (result.profile)
        json["profile"] = toJson(*result.profile);
    if (!result.storage.empty())
        json["storage"] = toJson(result.storage);
    return json;
}

std::vector<double> CellResult::counted(const std::vector<double>& samples) const
{
    if (discards.empty())
        return samples;
    std::vector<double> kept;
    auto discard = discards.begin();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (discard != discards.end() && discard->sample == i)
            ++discard;
        else
            kept.push_back(samples[i]);
    }
    return kept;
}

std::optional<Interval> CellResult::sampling() const
{
    if (hostSeconds.empty() || sampleStart.size() != hostSeconds.size())
        return std::nullopt;
    return Interval{sampleStart.front(), sampleStart.back() + hostSeconds.back() * passesPerSample};
}

const PhaseTime* CellResult::phase(Phase phase) const
{
    const auto found = std::find_if(phases.begin(), phases.end(),
                                    [&](const PhaseTime& each) { return each.phase == phase; });
    return found == phases.end() ? nullptr : &*found;
}

Result<CellResult> cellResultFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$result", issues);
    CellResult result;
    forEachObject(fields, "phases", issues, result.phases, [&](JsonFields& each) {
        result.phases.push_back({requireEnum(each, "name", kPhaseNames, Phase::Load),
                                 each.number("seconds", 0.0, 0.0, kLongestSeconds),
                                 each.number("start_s", 0.0, 0.0, kLongestSeconds)});
    });
    readHistory(fields, issues, result);
    result.hostSeconds = numberList(fields, "host_s");
    result.deviceSeconds = numberList(fields, "device_s");
    forEachObject(fields, "stages", issues, result.stages, [&](JsonFields& each) {
        result.stages.push_back(
            {each.text("stage"), numberList(each, "seconds"), optionalBytes(each, "peak_bytes")});
    });
    result.warmupPasses = static_cast<int>(fields.integer("warmup_passes", 0, 0, 1'000'000'000));
    result.warmupEnd = readEnum(fields, "warmup_end", kWarmupEnds, WarmupEnd::Steady);
    result.stopReason = readEnum(fields, "stop_reason", kStopReasons, StopReason::QuietEnough);
    if (const JsonView* memory = fields.requiredMember("memory"))
        result.memory = memoryFromJson(*memory, fields.pathOf("memory"), issues);
    result.outputs = outputsFromJson(fields, "outputs", issues);
    result.outputsFinite = fields.flag("outputs_finite", true);
    result.executed = executedFromJson(fields, "executed", issues);
    if (const JsonView* load = fields.member("host_load"))
        result.load = hostLoadFromJson(*load, fields.pathOf("host_load"), issues);
    result.attention = fields.text("attention");
    result.graphLaunches = static_cast<int>(fields.integer("graph_launches", 0, 0, 1'000'000));
    result.notes = notesFromJson(fields, "notes");
    result.modelContent = fields.text("model_content");
    result.calibration = calibrationFromJson(fields, "calibration", issues);
    result.compiles = compilesFromJson(fields, "compiles", issues);
    if (const JsonView* profile = fields.member("profile"))
        result.profile = passProfileFromJson(*profile, fields.pathOf("profile"), issues);
    if (const JsonView* storage = fields.member("storage")) {
        QS_TRY(result.storage, storageReportFromJson(*storage));
    }
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return result;
}

}  // namespace qs::core
