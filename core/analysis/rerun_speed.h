#pragma once

#include "core/analysis/cell_summary.h"

#include <string>
#include <vector>

namespace qs::core {

// Note [Rerun]
// The plan lets bf16 run once more in another process, for the noise floor of the pictures. The two
// do the same work, so that whatever speed-up the second shows was made by the machine: other work
// on it, heat, a clock that had not settled. A ratio of two different cells cannot be trusted
// farther than that of two equal ones.
struct RerunSpeed {
    std::string cellId;       // of the rerun
    std::string referenceId;  // what it repeats
    RatioEvidence evidence;   // of the rounds that both were timed in
    bool differs = false;     // see rerunSpeeds()
};

// From so much on two equal cells differ when there are too few rounds for an interval, as a
// fraction. Processes of the same pass lie within 1 % of each other on a GPU that is left alone.
inline constexpr double kRerunTolerance = 0.05;

// Of all reruns that share a timed round with what they repeat, in order of the plan. From three
// rounds on they are judged like any other speed-up, corrected over all reruns: they differ if one
// would be called FASTER or SLOWER.
[[nodiscard]] std::vector<RerunSpeed> rerunSpeeds(const Analysis& analysis);
// The largest ratio between reruns of one cell that differ, in either direction; 1 if none do.
[[nodiscard]] double largestRerunRatio(const Analysis& analysis);

}  // namespace qs::core
