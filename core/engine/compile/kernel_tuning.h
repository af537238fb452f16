#pragma once

#include "core/engine/compile/fused_kernel.h"

#include <functional>
#include <string>
#include <vector>

namespace qs::engine {

// One of several ways to compute a group.
struct Candidate {
    std::string name;
    std::string text;  // what it is made of
    std::function<MadeKernel()> make;
};

// The candidate that is the fastest on this device and driver, which is tried once and kept with
// the kernels. Each is timed many times in a row within a recording, so that the host plays no
// part: some milliseconds each; GPU thread. Those that the device does
// not take are passed over; an error if it takes none. `turns`: inputs, those of one call after the
// other; asked for where there is something to try.
[[nodiscard]] MadeKernel fastest(const KernelSite& site, const std::vector<Candidate>& candidates,
                                 const std::function<std::vector<Tensors>()>& turns);

}  // namespace qs::engine
