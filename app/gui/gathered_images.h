#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace qs::app {

// Several images that are brought at once become one source of inputs: a new folder below `place`
// with a numbered link to each of them, in the order given. Nothing is copied; a run keeps copies
// of its inputs anyway.
[[nodiscard]] core::Result<std::filesystem::path>
gatherImages(const std::vector<std::filesystem::path>& images, const std::filesystem::path& place);

}  // namespace qs::app
