#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// A layer whose weight was solved for (GPTQ).
struct SolvedLayer {
    std::string module;
    // Half the sum of squared rounding errors, each over the square of its diagonal element of the
    // inverse's factor; 0 where it fell back.
    double loss = 0.0;
    std::int64_t deadColumns = 0;   // inputs that were always 0
    bool roundedToNearest = false;  // its second moments were not positive definite
    double seconds = 0.0;           // that solving it took, its second moments included
    std::int64_t outFeatures = 0;   // rows and columns of its weight; 0 in old rows
    std::int64_t inFeatures = 0;

    bool operator==(const SolvedLayer&) const = default;
};

// What calibration did for one stage.
struct StageCalibration {
    std::string stage;
    std::string content;  // SHA-256 of all that decides what it made
    std::string set;      // where the samples come from, as the scheme's parameter has it
    std::int64_t samples = 0;
    std::int64_t seed = 0;
    double seconds = 0.0;  // that making it took, now or when it was put into the cache
    bool fromCache = false;
    std::vector<SolvedLayer> layers = {};

    bool operator==(const StageCalibration&) const = default;
};

[[nodiscard]] Json toJson(const StageCalibration& calibration);
[[nodiscard]] std::vector<StageCalibration>
calibrationFromJson(JsonFields& parent, std::string_view name, std::vector<JsonIssue>& issues);

}  // namespace qs::core
