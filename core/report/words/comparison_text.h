#pragma once

#include "core/analysis/run_comparison.h"

#include <string>

namespace qs::core {

// "ok", "ok → broken", "mended", "failed in both"
[[nodiscard]] std::string statusChangeText(StatusChange change);
// "slower", "undecided: leans faster", "faster on another device"; empty without times in both.
[[nodiscard]] std::string speedChangeText(const MatchedCell& cell);
// "identical", "worse", "other weights"; empty if nothing is known.
[[nodiscard]] std::string outputChangeText(const MatchedCell& cell);
// "device cpu → cuda:0; PyTorch 2.10.0 → 2.11.0": what a verdict is a verdict about; empty if
// nothing that is known differs.
[[nodiscard]] std::string changeText(const RunComparison& comparison);
// Of these the two that a reader asks for first, and how many more there are: for headings.
[[nodiscard]] std::string changeSummary(const RunComparison& comparison);
// "12 cells in both: 2 slower, 1 faster, 9 undecided … with cuda:0 NVIDIA H200 instead of H100"
[[nodiscard]] std::string comparisonAnswer(const RunComparison& comparison);
// What the ratios and verdicts of a comparison of runs are.
[[nodiscard]] std::string comparisonExplanation();

}  // namespace qs::core
