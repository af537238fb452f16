#pragma once

#include "core/base/result.h"
#include "core/model/input_feed.h"

#include <filesystem>

namespace qs::core {

// The run's copies of the files that feed its models: since it began, they may have changed or
// gone. Copies that are there already stay.
[[nodiscard]] Status keepFedFiles(const std::filesystem::path& runFolder,
                                  const ModelFeeding& feeding);

}  // namespace qs::core
