#pragma once

#include "core/record/environment.h"

#include <string>
#include <vector>

namespace qs::core {

// Version of the driver of one of the devices, "580.65.06"; empty where NVML did not answer. What
// a device itself tells is the CUDA version that its driver runs.
[[nodiscard]] std::string driverVersion(const Environment& environment,
                                        const DeviceDescription& device);
// "cuda:0 NVIDIA H200, driver 580.65.06", or what the driver runs: "…, CUDA 13.0"
[[nodiscard]] std::string deviceLine(const Environment& environment,
                                     const DeviceDescription& device);
// What an environment tells beyond its programs and devices, one line a topic: commit and
// libraries, processor, each GPU, PyTorch's switches, variables.
[[nodiscard]] std::vector<std::string> environmentLines(const Environment& environment);

}  // namespace qs::core
