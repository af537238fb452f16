#pragma once

#include "core/base/result.h"

#include <QString>

#include <filesystem>

namespace qs::app {

// A name that is free below `runs`: "20261121-094012-demo-on-the-cpu". Makes `runs` itself, not the
// new folder.
[[nodiscard]] core::Result<std::filesystem::path> newRunFolder(const std::filesystem::path& runs,
                                                               const QString& presetName);

}  // namespace qs::app
