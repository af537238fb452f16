#pragma once

#include "core/base/json.h"

#include <string>
#include <vector>

namespace qs::core::olmoearth {

// A key of the benchmark's sweeps: which member it sweeps, and over what.
struct SweepKey {
    std::string name;   // "batch"
    std::string param;  // "batch_size"
    Json values;        // a list
};
[[nodiscard]] const std::vector<SweepKey>& sweepKeys();

}  // namespace qs::core::olmoearth
