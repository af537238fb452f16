#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/gate_result.h"

#include <string_view>
#include <vector>

namespace qs::core {

// Holds the gates against each cell of the analysis, in its order. Only swept cells are judged:
// nothing was expected of references and noise-floor runs that the plan has added.
[[nodiscard]] std::vector<CellGates> evaluateGates(const RunData& data, const Analysis& analysis,
                                                   const std::vector<Gate>& gates);
// Those of the run's own preset.
[[nodiscard]] std::vector<CellGates> evaluateGates(const RunData& data, const Analysis& analysis);

struct GateCounts {
    int passed = 0;
    int failed = 0;
    int undecided = 0;
    int notTestable = 0;
};
[[nodiscard]] GateCounts countGates(const CellGates& gates);

[[nodiscard]] std::string_view
name(GateVerdict verdict);  // "pass" "fail" "undecided" "not testable"

}  // namespace qs::core
