#include "core/report/profiles/gptq_memory.h"

#include <algorithm>
#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr double kBytesOfGb = 1e9;
constexpr const char* kNotRead = "not read by the version of this program that measured the run";
constexpr const char* kOfRuns =
    "1e9 bytes, for each time; the allocator is read after the first and after the last sample of "
    "a process, and what it counted between them is not recorded (null); allocated_gb are the "
    "weights that stay; reserved_gb is null where an earlier version of this program did not read "
    "it";

Json gigabytes(const std::optional<std::int64_t>& bytes)
{
    return bytes ? Json(static_cast<double>(*bytes) / kBytesOfGb) : Json();
}

// All null of a run whose memory is not known.
Json memoryJson(const std::optional<MemoryFigures>& known)
{
    const MemoryFigures memory = known.value_or(MemoryFigures());
    return {{"allocated_gb", known ? gigabytes(memory.weightsResident) : Json()},
            {"reserved_gb", gigabytes(memory.reserved)},
            {"max_allocated_gb", gigabytes(memory.allocatedPeak)},
            {"max_reserved_gb", gigabytes(memory.reservedPeak)}};
}

// A line for each time, with the benchmark's labels: "cold" of a process that compiles, "warm_1".
Json compiledRunsJson(const GptqCell& cell)
{
    Json runs = Json::array();
    int cold = 0;
    int warm = 0;
    for (const GptqRun& run : cell.runs) {
        Json json = memoryJson(run.memory);
        if (!run.cold)
            json["run"] = "warm_" + std::to_string(++warm);
        else
            json["run"] = ++cold == 1 ? "cold" : "cold_" + std::to_string(cold);
        runs.push_back(std::move(json));
    }
    return runs;
}

// Without the one that warms up, of which the benchmark keeps nothing.
Json baselineRunsJson(const GptqCell& cell)
{
    Json runs = Json::array();
    for (const GptqRun& run : cell.runs) {
        if (!run.cold)
            runs.push_back(memoryJson(run.memory));
    }
    return runs;
}

// Of those that are known.
Json largestOf(const Json& runs)
{
    Json largest = Json::object();
    for (const char* field : {"max_allocated_gb", "max_reserved_gb"}) {
        Json& value = largest[field];
        for (const Json& run : runs) {
            if (!run[field].is_null() && (value.is_null() || value < run[field]))
                value = run[field];
        }
    }
    return largest;
}

bool hasMemory(const GptqCell& cell)
{
    return std::any_of(cell.runs.begin(), cell.runs.end(),
                       [](const GptqRun& run) { return run.memory.has_value(); });
}

void addMemories(ProfileRecord& record, const GptqCell& cell, Json runs)
{
    if (!hasMemory(cell)) {
        record.missing("peak_memory_runs", whyNoMemory(*cell.summary));
        record.missing("peak_memory", whyNoMemory(*cell.summary));
        return;
    }
    Json largest = largestOf(runs);
    record.set("peak_memory_runs", std::move(runs), kOfRuns);
    record.set("peak_memory", std::move(largest), "1e9 bytes, the largest of the runs");
}

}  // namespace

void addBaselineMemory(const GptqCell& cell, ProfileRecord& record)
{
    addMemories(record, cell, baselineRunsJson(cell));
}

void addCompiledMemory(const GptqCell& cell, ProfileRecord& record)
{
    addMemories(record, cell, compiledRunsJson(cell));
}

void addColdMemory(const GptqCell& cell, ProfileRecord& record)
{
    const auto cold = std::find_if(cell.runs.rbegin(), cell.runs.rend(),
                                   [](const GptqRun& run) { return run.cold; });
    if (cell.runs.empty())
        record.missing("cold_peak_memory", whyNoFigures(*cell.summary));
    else if (cold == cell.runs.rend())
        record.missing("cold_peak_memory", kNoColdRun);
    else if (!cold->memory)
        record.missing("cold_peak_memory", hasMemory(cell) ? kNotRead : whyNoMemory(*cell.summary));
    else
        record.set("cold_peak_memory", memoryJson(cold->memory), "1e9 bytes, of the first sample");
}

}  // namespace qs::core
