#pragma once

#include "core/sweep/olmoearth/run_params.h"
#include "core/sweep/preset.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core::olmoearth {

// Whether a document is a ThroughputBenchmarkRunnerConfig or the RunParams of one run, as JSON.
[[nodiscard]] bool isThroughputConfig(const JsonView& json);

struct ThroughputSweep {
    std::vector<RunParams> runs;     // in the order of the benchmark, the default run at the end
    std::vector<std::string> notes;  // what is not used, and runs that cannot be
    Preset preset;
};
// Note [Sweeps of OlmoEarth]: one key after the other over the default run, which is appended; or,
// with cross_product_sweep, every combination, and the default run. The values of all of them are
// those that the benchmark documents.
[[nodiscard]] ThroughputSweep throughputSweep(const Json& json, std::vector<JsonIssue>& issues);
// The same of a file, whose name an error has.
[[nodiscard]] Result<ThroughputSweep> throughputSweepOf(const Json& json, const std::string& file);
// One run by its name.
[[nodiscard]] Result<ThroughputSweep> sweepOfRunName(std::string_view name);

}  // namespace qs::core::olmoearth
