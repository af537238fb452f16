#pragma once

#include "core/analysis/gates.h"

#include <string>

namespace qs::core {

// Why a gate is not testable or undecided, in a few words; empty without a reason.
[[nodiscard]] std::string gateReasonText(const GateResult& result);
// "1.32 [1.29, 1.35]", "12 ms", "≤ 40 s" of an upper limit; why there is none.
[[nodiscard]] std::string gateMeasuredText(const GateResult& result);
// "ssim_mean 0.981 < 0.99", "ssim_mean 0.9971 (>= 0.99)", "ssim_mean >= 0.99: random weights or
// inputs", "speedup 1.97 [0.22, 17.6] around >= 1.2", "compile_cold >= 30 s: known to be ≤ 40 s"
[[nodiscard]] std::string gateResultText(const GateResult& result);
// "3 of 3 pass", "fails ssim_mean 0.981 < 0.99", "1 of 3 pass, 1 undecided, 1 not testable here";
// empty without gates.
[[nodiscard]] std::string gatesText(const CellGates& gates);

}  // namespace qs::core
