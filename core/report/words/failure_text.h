#pragma once

#include "core/analysis/cell_summary.h"

#include <string>

namespace qs::core {

// "exit code 1", "killed by signal 9 (Killed)"; a signal of 0 is none.
[[nodiscard]] std::string processEndText(int exitCode, int signal);
// Why a cell has no result, in a sentence without its end.
[[nodiscard]] std::string failureText(const Failure& failure);
// The same of a cell, which may be impossible, or not measured yet; empty if nothing is wrong.
[[nodiscard]] std::string reasonText(const CellSummary& summary);

}  // namespace qs::core
