#pragma once

#include "core/analysis/across_devices.h"
#include "core/analysis/across_settings.h"
#include "core/analysis/analysis.h"
#include "core/base/json.h"
#include "core/report/plain_table.h"

// From which batch on a GPU is faster than the processor; no lines if the run has not measured
// both. See Note [Across devices] in core/analysis/across_devices.h.
namespace qs::core {

[[nodiscard]] TableSection acrossSection(const Analysis& analysis);
[[nodiscard]] Json acrossJson(const Analysis& analysis);
// What residency of inputs and variables change; no lines if the run has one of each. See
// Note [Across settings] in core/analysis/across_settings.h.
[[nodiscard]] TableSection settingsSection(const Analysis& analysis);
[[nodiscard]] Json settingsJson(const Analysis& analysis);
// "from batch 64 on", "at no measured batch", "at every measured batch (32 and more)"
[[nodiscard]] std::string crossoverText(const DeviceCrossover& crossover);

}  // namespace qs::core
