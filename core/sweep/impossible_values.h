#pragma once

#include "core/sweep/plan.h"

#include <map>
#include <string>

namespace qs::core {

// Axis -> value -> why no cell with that value can run on the devices and models of a preset,
// whatever its other members are. What is absent may run.
using ValueReasons = std::map<std::string, std::map<std::string, Note>>;

// Judges every scheme, every pair of schemes ("bf16/int8dq") of a model with two stages, every
// compile mode and attention kernel, and the layer filters, batch sizes and image sizes of the
// preset: an editor greys them before anything is planned. Reads headers of models alone; models
// that cannot be opened and devices that are not described give no reasons.
[[nodiscard]] ValueReasons impossibleValues(const Preset& preset, const PlanOptions& options);

}  // namespace qs::core
