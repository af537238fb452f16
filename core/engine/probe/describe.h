#pragma once

#include "core/device/description.h"

#include <string>
#include <vector>

namespace qs::engine {

struct EngineVersions {
    std::string torch; // "2.11.0"
    std::string cuda;  // run time that this build uses; empty without a CUDA part
};

[[nodiscard]] EngineVersions engineVersions();

// The CPU first, then every GPU that can be used.
[[nodiscard]] std::vector<core::DeviceDescription> describeDevices();
// Why no GPU is listed; empty if one is.
[[nodiscard]] std::string whyNoGpu();

} // namespace qs::engine
