#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace qs::core {

// Samples first … first + count - 1 of inputs made by the generator of weights: values depend on
// seed, name of the input and index alone, so that a sample is the same whatever the batch; they
// are spread as the workload declares. What is judged where no images or
// prompts are given. The stages' graphs say the shapes; inputs that no stage reads are left out.
[[nodiscard]] HostTensors generateInputs(const Workload& workload,
                                         const std::vector<const Graph*>& stages, std::int64_t seed,
                                         std::int64_t count, std::int64_t first = 0);
// Samples first … first + count - 1 of these; inputs without a batch as they are.
[[nodiscard]] HostTensors samplesOf(const HostTensors& inputs, const Workload& workload,
                                    std::int64_t first, std::int64_t count);

// Without the inputs that are there already.
[[nodiscard]] Workload withoutInputs(Workload workload, const HostTensors& there);

}  // namespace qs::core
