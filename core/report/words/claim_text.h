#pragma once

#include "core/analysis/cell_summary.h"

#include <string>
#include <string_view>

namespace qs::core {

// "confirmed", "not testable here"
[[nodiscard]] std::string_view claimResultText(ClaimResult result);
// "speedup >= 1.2, speedup <= 1.5; precision=int8dq; cuda-graph"
[[nodiscard]] std::string claimExpectationText(const Claim& claim);
// Of each cell: "batch 1: 1.32 [1.29, 1.35]; batch 64: not measured yet"; why there is none.
[[nodiscard]] std::string claimMeasuredText(const ClaimOutcome& outcome, const Analysis& analysis);

}  // namespace qs::core
