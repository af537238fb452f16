#pragma once

#include "core/measure/cell_result.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What the profile of a pass says of it, see Note [Profile of a pass]; seconds of work per pass.
struct TimeDivision {
    std::array<double, kWorkKinds.size()> work = {};  // by WorkKind
    double launches = 0.0;
    std::string fingerprint;    // see PassProfile
    std::string olderProduct;   // the longest product for an older chip; empty: none
    double olderSeconds = 0.0;  // of all such products
    // Longest first; then, without a name, what each kind of work has beyond those of the profile.
    std::vector<KernelTime> kernels = {};

    bool operator==(const TimeDivision&) const = default;
    // Of a pass that took so long outside of the profiler: kernels share what they overlap, and
    // nothing is left for gaps where they filled all of it. 0 … 1.
    [[nodiscard]] double share(WorkKind kind, double passSeconds) const;
    [[nodiscard]] double share(const KernelTime& kernel, double passSeconds) const;
    // What no work filled.
    [[nodiscard]] double gapShare(double passSeconds) const;

private:
    [[nodiscard]] double sum() const;
    [[nodiscard]] double shareOf(double seconds, double passSeconds) const;
};

// Nothing without a profile, or with an empty one.
[[nodiscard]] std::optional<TimeDivision> timeDivisionOf(const CellResult& result);

}  // namespace qs::core
