#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

enum class DeviceKind { Cpu, Cuda };

// What planning needs to know about a device, also one that is not in this computer.
struct DeviceDescription {
    std::string id;    // "cpu", "cuda:0"
    std::string name;  // "NVIDIA H200"
    DeviceKind kind = DeviceKind::Cpu;
    int computeMajor = 0;  // CUDA compute capability; 0 on a CPU
    int computeMinor = 0;
    std::int64_t memoryBytes = 0;
    int processors = 0;  // streaming multiprocessors, or CPU threads
    std::string uuid;
    std::string driver;
    // What compiling programs for it needs and does not find: "triton"; empty if it finds all.
    std::string compilerLacks = {};
    // The same of kernels of ours.
    std::string kernelsLack = {};
    // Of a CPU: whether PyTorch's product of 8-bit integers (aten::_int_mm) adds exactly, and
    // whether oneDNN has a convolution of them that does; nothing where no engine was asked.
    std::optional<bool> exactInt8Products = {};
    std::optional<bool> exactInt8Convolutions = {};

    [[nodiscard]] bool atLeast(int major, int minor) const
    {
        return computeMajor > major || (computeMajor == major && computeMinor >= minor);
    }
};

[[nodiscard]] Json toJson(const DeviceDescription& device);
[[nodiscard]] Result<DeviceDescription> deviceFromJson(const Json& json);

// This computer's processor, from /proc.
[[nodiscard]] DeviceDescription describeCpu();

// Descriptions of common GPUs for planning without one; ids are "cuda:0".
[[nodiscard]] const std::vector<DeviceDescription>& commonGpus();

}  // namespace qs::core
