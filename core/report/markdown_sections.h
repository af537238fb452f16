#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/gates.h"

#include <string>
#include <vector>

// Parts of summary.md that speak of the whole run; each is empty if there is nothing to say.
namespace qs::core {

// What the run answers, what it recommends and what not.
[[nodiscard]] std::string answerSection(const Analysis& analysis);
// A table for each metric: a line for each precision and compile mode, a column for each batch.
[[nodiscard]] std::string pivotSection(const Analysis& analysis);
// A table of the cells for each model and shape. `hasGates`: whether the run has any; `gates` are
// those of each cell.
[[nodiscard]] std::string resultsSection(const Analysis& analysis,
                                         const std::vector<CellGates>& gates, bool hasGates);
// Disturbances that were seen when a session of the run began, and those that its reruns show;
// each once, however many sessions saw it.
[[nodiscard]] std::string warningsSection(const RunData& data, const Analysis& analysis);
// Extensions of the run that were made because comparisons were open; see Note [Looks] in
// core/sweep/settle_plan.h.
[[nodiscard]] std::string looksSection(const RunData& data, const Analysis& analysis);
// What the device did while each cell was sampled, and the time with the input's way.
[[nodiscard]] std::string deviceSection(const Analysis& analysis);
// Every book of memory of each cell.
[[nodiscard]] std::string memorySection(const Analysis& analysis);
[[nodiscard]] std::string noiseFloorSection(const Analysis& analysis);
// By the price that the preset names.
[[nodiscard]] std::string costSection(const RunData& data, const Analysis& analysis);
// All environments of the run, and what differs between them.
[[nodiscard]] std::string environmentSection(const RunData& data);

}  // namespace qs::core
