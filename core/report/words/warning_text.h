#pragma once

#include "core/analysis/cell_summary.h"
#include "core/record/left_out.h"

#include <string>
#include <vector>

namespace qs::core {

// What readers of the results must know of what could not be read; empty if nothing was left out.
[[nodiscard]] std::vector<std::string> leftOutTexts(const LeftOut& leftOut);

// What speaks against all times of the run: reruns of the same work that differ in speed, with the
// worst case, and others that used the processor meanwhile; empty if nothing does.
[[nodiscard]] std::vector<std::string> timeWarnings(const Analysis& analysis);

// What happened, in a line; empty where its kind says all.
[[nodiscard]] std::string eventText(const RunEvent& event);

// Whether it speaks against the times of the run; others concern outputs, files or the disk.
[[nodiscard]] bool concernsTimes(const RunEvent& event);

// What readers of the results must know: all of the above and the warnings among the events, each
// once, with the time it was first seen.
[[nodiscard]] std::vector<std::string> allWarnings(const RunData& data, const Analysis& analysis);

}  // namespace qs::core
