#pragma once

#include "core/report/profiles/profile_cells.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Stored outputs of one cell against those of another, as torch.allclose(rtol = atol = 1e-3).
struct OutputAgreement {
    int outputs = 0;
    bool close = true;
    double largestDifference = 0.0;
};

// A compiled cell, in regions or whole, and the same eager.
struct SurgicalPair {
    const CellSummary* surgical = nullptr;
    const CellSummary* baseline = nullptr;  // null: the run has none
    Moments surgicalTimes = {};             // seconds by the clock of the host, all rounds
    Moments baselineTimes = {};
    std::optional<OutputAgreement> agreement = {};  // nothing without outputs of both

    // Of means; nothing unless both were timed in one environment.
    [[nodiscard]] std::optional<double> speedup() const;
};

[[nodiscard]] Result<std::vector<SurgicalPair>> surgicalPairs(const RunData& data,
                                                              const Analysis& analysis);

}  // namespace qs::core
