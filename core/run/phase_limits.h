#pragma once

#include "core/sweep/phase.h"
#include "core/sweep/preset.h"

namespace qs::core {

// Seconds without progress after which a phase counts as hanging; Start, with the self-test of
// the memory figures, is a matter of SupervisorLimits. The first pass, the memory pass and the
// capture are parts of Compile and fall under its limit.
[[nodiscard]] double phaseLimitSeconds(const MeasurementSettings& settings, Phase phase);

}  // namespace qs::core
