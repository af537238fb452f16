#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace qs::engine {

// The interpreter whose installation this process has its Torch from: that of the virtual
// environment or of the system. QUANTSCOPE_PYTHON names another. NotFound says where it was looked
// for.
[[nodiscard]] core::Result<std::filesystem::path> pythonOfTorch();

}  // namespace qs::engine
