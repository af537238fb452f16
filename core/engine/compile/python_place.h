#pragma once

#include "core/base/result.h"
#include "core/device/description.h"

#include <filesystem>
#include <string>

namespace qs::engine {

// The interpreter whose installation this process has its Torch from: that of the virtual
// environment or of the system. QUANTSCOPE_PYTHON names another. NotFound says where it was looked
// for.
[[nodiscard]] core::Result<std::filesystem::path> pythonOfTorch();

// What Inductor needs for that kind of device and does not find: "Python", "g++", "triton"; empty
// if it finds all. Looks for files alone, nothing is started.
[[nodiscard]] std::string inductorLacks(core::DeviceKind kind);

}  // namespace qs::engine
