#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace qs::core {

// Refuses a folder that holds anything but what a creation that was cut short leaves behind: files
// of somebody else lie there.
[[nodiscard]] Status checkFree(const std::filesystem::path& folder);

}  // namespace qs::core
