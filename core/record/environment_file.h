#pragma once

#include "core/base/file_place.h"
#include "core/record/environment.h"

#include <string>
#include <vector>

namespace qs::core {

inline constexpr int kEnvironmentSchemaVersion = 1;

// environment.json of a run folder: every environment that has added rows, oldest first.
[[nodiscard]] Result<std::vector<Environment>> readEnvironments(const FilePlace& file);
[[nodiscard]] std::string environmentsText(const std::vector<Environment>& environments);
[[nodiscard]] Status writeEnvironments(const FilePlace& file,
                                       const std::vector<Environment>& environments);

}  // namespace qs::core
