#pragma once

#include "core/analysis/compile_cost.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// One package of a regional mode by itself: a call of it against a call of the same operations run
// eagerly, both timed apart from every pass.
struct RegionSpeed {
    std::string stage;
    std::string kind;  // "rope"
    int calls = 1;     // in one run of the stage
    PartTime time;     // of one call
    double speedup = 0.0;
    double bytesPerSecond = 0.0;  // as a package
    // Of the memory's rate that the maker of the device publishes; above 1 what it reads and writes
    // stays in a cache.
    std::optional<double> ofMemoryRate = {};
};

// Of the packages that were timed, in the order of the stages.
[[nodiscard]] std::vector<RegionSpeed> regionSpeeds(const CompileCost& cost);

}  // namespace qs::core
