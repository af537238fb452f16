#pragma once

#include "core/base/json.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// How a GPU is set up: what changes its speed from outside a program. A member is empty where
// driver or device do not tell (virtual GPUs, containers, old drivers).
struct GpuSettings {
    std::string uuid = {};    // as DeviceDescription::uuid
    std::string driver = {};  // "580.65.06"
    // "default", "application clock 1410 MHz" where somebody set one, or "set" where the driver
    // named a clock setting as what holds the clock when it was asked. Locked clocks (nvidia-smi
    // -lgc) cannot be asked for: "default" does not exclude them, and what rows show of them is
    // noted there, see Note [Clocks of a row] in core/measure/clock_notes.h.
    std::string clocks = {};
    std::optional<double> maxSmClockMegahertz = {};
    std::optional<double> powerLimitWatts = {};
    std::optional<double> defaultPowerLimitWatts = {};
    std::optional<bool> ecc = {};
    std::optional<bool> mig = {};
    std::optional<bool> persistence = {};
};

// Members that are empty are left out.
[[nodiscard]] Json toJson(const GpuSettings& settings);
[[nodiscard]] Result<GpuSettings> gpuSettingsFromJson(const Json& json);

// "driver 580.65.06, default clocks up to 1980 MHz, power limit 650 of 700 W, ECC on, …"
[[nodiscard]] std::string gpuSettingsText(const GpuSettings& settings);

}  // namespace qs::core
