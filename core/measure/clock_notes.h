#pragma once

#include "core/measure/cell_result.h"

#include <string>
#include <vector>

namespace qs::core {

// Note [Clocks of a row]
// A sample is discarded when its clock falls below that of the others (see Note [Throttling]); a
// clock that is low all the time has nothing to fall from, and one that still moves when sampling
// begins makes early samples slower or faster than late ones. Both are said on the row, with their
// numbers; nothing is discarded for them. The worker does not see the clock, so that its warm-up
// cannot wait for it.
// Whether clocks are locked (nvidia-smi -lgc) cannot be asked of any driver. Two things tell of it:
// the driver names a clock setting as what holds the clock (application clocks give the same
// reason), or the clock stands still below what the device can do and the driver, which names no
// reason when clocks are as high as possible, names none.
inline constexpr double kMovingClock = 0.01;  // between the end of the warm-up and the samples

// Beside the names of a Slowdown, what a note gives as the cause of a clock.
inline constexpr const char* kLockedClock = "locked";
inline constexpr const char* kNoReason = "none";

// What is to be said of the SM clock; nothing without a trace. Wants all points of the
// trace, those of the warm-up included, and its maximumClockMegahertz.
[[nodiscard]] std::vector<Note> clockNotes(const CellResult& result);

}  // namespace qs::core
