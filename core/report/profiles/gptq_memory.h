#pragma once

#include "core/report/profiles/export_profile.h"
#include "core/report/profiles/gptq_runs.h"

// What the allocator counted of a cell that quantizes, in the fields of the benchmark.
namespace qs::core {

// "peak_memory_runs", without the run that warms up, and "peak_memory".
void addBaselineMemory(const GptqCell& cell, ProfileRecord& record);
// The same with cold runs, all labelled.
void addCompiledMemory(const GptqCell& cell, ProfileRecord& record);
// "cold_peak_memory", of the last process.
void addColdMemory(const GptqCell& cell, ProfileRecord& record);

}  // namespace qs::core
