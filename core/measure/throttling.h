#pragma once

#include "core/measure/cell_result.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Note [Throttling]
// A large matrix product runs into the power cap of its GPU for as long as it lasts: that is the
// speed of such work there, not a disturbance, and cycles tell it apart from a slower program. What
// disturbs is heat, a brake from outside, or a clock that breaks down for a while. Samples that
// were taken then do not count; the cause is kept beside them.
inline constexpr double kLowClock = 0.75;  // of the usual clock of the same measurement

struct Throttling {
    std::vector<Discard> discards;
    // Instead of them when at least half of the samples would go: then the slow state is the usual
    // one, and nothing is left to compare it with.
    std::optional<Slowdown> throughout = std::nullopt;
};

// From the trace and the starts of the samples; nothing without them.
[[nodiscard]] Throttling findThrottling(const CellResult& result);

// The clock of each sample in MHz, at its middle; none for samples the trace does not reach.
[[nodiscard]] std::vector<std::optional<double>> sampleClocks(const CellResult& result);

}  // namespace qs::core
