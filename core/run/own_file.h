#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// Lists of what this user has agreed to, in files that only this user can write: what others could
// have written says nothing of that.

// The list of that name; nothing if the file is not there, not of this user alone, or none of ours.
[[nodiscard]] std::optional<Json> readOwnList(const std::filesystem::path& file,
                                              const std::string& name);
[[nodiscard]] Status writeOwnList(const std::filesystem::path& file, const std::string& name,
                                  Json list);

}  // namespace qs::core
