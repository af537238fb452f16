#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/measured_devices.h"

#include <string>
#include <vector>

namespace qs::core {

// Why the figures of a cell may not be what they seem: something else ran than
// was asked for, another precision left no trace in the outputs, or the time is shorter than the
// device can do. A doubtful cell is loud in every view and is never the answer.
[[nodiscard]] std::vector<Note> doubtsAbout(const CellSummary& summary,
                                            const MeasuredDevices& devices);

}  // namespace qs::core
