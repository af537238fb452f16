#pragma once

#include "core/record/environment.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

inline constexpr int kEnvironmentSchemaVersion = 1;

// environment.json of a run folder: every environment that has added rows, oldest first.
[[nodiscard]] Result<std::vector<Environment>> readEnvironments(const std::filesystem::path& file);
[[nodiscard]] std::string environmentsText(const std::vector<Environment>& environments);
[[nodiscard]] Status writeEnvironments(const std::filesystem::path& file,
                                       const std::vector<Environment>& environments);

}  // namespace qs::core
