#pragma once

#include <filesystem>

namespace qs::core {

// Whether a file belongs to this user and nobody else can write to it. What others could have
// written says nothing of what this user has agreed to.
[[nodiscard]] bool isOwnFile(const std::filesystem::path& file);

}  // namespace qs::core
