#pragma once

#include "core/base/files.h"

#include <filesystem>

namespace qs::core {

// Whether `path` still names what is open as `file`, a file or a folder: that was neither removed
// nor moved, and nothing was put in its place.
[[nodiscard]] bool stillNamed(const FileDescriptor& file, const std::filesystem::path& path);

}  // namespace qs::core
