#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/engine/compile/compiler_versions.h"

#include <map>
#include <string>
#include <vector>

namespace qs::engine {

struct EngineVersions {
    std::string torch;  // "2.11.0"
    std::string cuda;   // run time that this build uses; empty without a CUDA part
};

[[nodiscard]] EngineVersions engineVersions();

// Of the cuDNN library that is loaded, "9.15.1"; empty without a CUDA part.
[[nodiscard]] std::string cudnnVersion();
// Threads that one operation on the CPU uses.
[[nodiscard]] int operationThreads();
// PyTorch's switches that change results or speed everywhere, as this process has them:
// "tf32_matmul"
// -> "false". A program sets the first of them anew before each product that names it.
[[nodiscard]] std::map<std::string, std::string> numericSwitches();

// The CPU first, then every GPU that can be used, with what the compiler lacks for each.
[[nodiscard]] std::vector<core::DeviceDescription>
describeDevices(const CompilerVersions& compiler);
// The one of that id, as a worker needs it that runs a cell: nobody asks the compiler. NotFound
// says why it cannot be used.
[[nodiscard]] core::Result<core::DeviceDescription> describeDevice(const std::string& id);
// Why no GPU is listed; empty if one is.
[[nodiscard]] std::string whyNoGpu();

}  // namespace qs::engine
