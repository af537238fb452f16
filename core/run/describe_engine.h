#pragma once

#include "core/base/result.h"
#include "core/record/environment.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Asks a worker which devices it sees and what it is. Takes up to `timeoutSeconds`, less when
// stopped (the error is then Cancelled).
struct EngineDescription : EngineFacts {
    std::string whyNoGpu;
    std::string python;  // that has this Torch; empty: none was found
    std::vector<DeviceDescription> devices;
};
[[nodiscard]] Result<EngineDescription> describeEngine(const std::filesystem::path& workerProgram,
                                                       double timeoutSeconds,
                                                       const std::stop_token& stop = {});

}  // namespace qs::core
