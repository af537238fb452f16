#pragma once

#include "core/record/environment.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace qs::core {

// What is known of an environment, in the order of lists.
enum class EnvironmentFact {
    // Of a device.
    DeviceName,
    SerialNumber,
    Driver,
    DeviceKind,
    ComputeCapability,
    DeviceMemory,  // bytes
    Processors,
    // Of the settings of a GPU.
    Clocks,
    MaxSmClock,         // MHz
    PowerLimit,         // W
    DefaultPowerLimit,  // W
    Ecc,
    Mig,
    Persistence,
    // Of the software.
    PyTorch,
    Cuda,
    Cudnn,
    Compiler,
    PyTorchFlag,
    Variable,
    Program,
    Commit,
    System,
    // Of the machine.
    Host,
    Processor,
    Threads,
    EngineThreads,
    Governor,
    Turbo,
    Smt,
    CpuQuota,  // cores
};

// What another value may change, the gravest first.
enum class EnvironmentEffect { ResultsAndSpeed, Speed, Nothing };

[[nodiscard]] EnvironmentEffect effectOf(EnvironmentFact fact);

using EnvironmentValue = std::variant<bool, double, std::string>;

// One fact about where rows were measured, as several environments tell it.
struct EnvironmentField {
    EnvironmentFact fact = EnvironmentFact::PyTorch;
    std::string subject = {};  // the device, flag or variable; else empty
    // One per environment; nothing where it is not reported.
    std::vector<std::optional<EnvironmentValue>> values = {};
    bool differs = false;
};

// Every fact that any of the environments reports. Those that differ come first, the gravest of
// them before the others. Devices are matched by their id. A value that only some report differs.
[[nodiscard]] std::vector<EnvironmentField>
compareEnvironments(const std::vector<Environment>& environments);

}  // namespace qs::core
