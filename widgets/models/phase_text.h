#pragma once

#include "core/sweep/phase.h"

#include <QString>

namespace qs::widgets {

// "warm-up": as a stretch of time.
[[nodiscard]] QString phaseText(core::Phase phase);
// "warming up": as what goes on now.
[[nodiscard]] QString phaseActivity(core::Phase phase);
// The same of a cell that runs: before it has said anything its worker starts.
[[nodiscard]] QString cellActivity(core::Phase phase);
// In a sentence; empty where the name says it all.
[[nodiscard]] QString phaseExplanation(core::Phase phase);

}  // namespace qs::widgets
