#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace qs::core {

// Inputs made by the generator of weights: values of each input depend on seed, its name and the
// index alone, spread evenly over the range that the family declares. What speed is measured with
// where no images or prompts are given. The stages' graphs say the shapes; inputs that no stage
// reads are left out.
[[nodiscard]] HostTensors generateInputs(const Workload& workload,
                                         const std::vector<const Graph*>& stages,
                                         std::int64_t seed);

}  // namespace qs::core
