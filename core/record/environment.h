#pragma once

#include "core/base/json.h"
#include "core/device/cpu_state.h"
#include "core/device/description.h"
#include "core/device/gpu_settings.h"
#include "core/device/nvml.h"

#include <map>
#include <string>
#include <vector>

namespace qs::core {

// What the engine says of itself.
struct EngineFacts {
    std::string torch;   // "2.11.0"
    std::string cuda;    // "13.0" or empty
    std::string cudnn;   // "9.15.1" or empty
    std::string commit;  // of the sources that the worker was built from; empty if it does not say
    int threads = 0;     // that an operation on the CPU uses; 0 if it does not say
    // Switches of PyTorch that change results or speed everywhere: "tf32_matmul" -> "false".
    std::map<std::string, std::string> numerics;
    // What compiles packages: "python" -> "3.11.2", "torch", "triton", "g++".
    std::map<std::string, std::string> compiler = {};
};

// Where rows were measured. Rows of different environments never share a ratio.
struct Environment {
    std::string program;  // "QuantScope 0.1.0"
    std::string torch;    // "2.11.0"
    std::string cuda;     // "13.0" or empty
    std::string system;   // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
    std::string host;
    std::string processor;
    int threads = 0;
    std::vector<DeviceDescription> devices;
    // What follows is left out of files where it is empty.
    std::string commit = {};
    std::string cudnn = {};
    int engineThreads = 0;
    std::map<std::string, std::string> numerics = {};
    std::map<std::string, std::string> compiler = {};
    std::map<std::string, std::string> variables =
        {};  // those of describeEnvironment() that are set
    CpuSettings cpuSettings = {};
    std::vector<GpuSettings> gpuSettings = {};

    // SHA-256 of all of it.
    [[nodiscard]] std::string id() const;
};

[[nodiscard]] Json toJson(const Environment& environment);
[[nodiscard]] Result<Environment> environmentFromJson(const Json& json);

// Variables of the environment that a worker inherits and that change its speed or its results.
[[nodiscard]] const std::vector<std::string>& recordedVariables();

// This computer with the given engine and devices. Opens the NVIDIA driver if there is a GPU among
// them, which takes seconds on a machine with many.
[[nodiscard]] Environment describeEnvironment(const EngineFacts& engine,
                                              std::vector<DeviceDescription> devices,
                                              const std::string& nvmlLibrary = Nvml::kLibrary);

}  // namespace qs::core
