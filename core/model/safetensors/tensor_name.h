#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace qs::core {

// Why `name` cannot name a tensor; empty if it can. Names come from strangers and end in tables,
// logs and file names, so they must be UTF-8 without control characters, line separators and marks
// that reverse the direction of reading.
[[nodiscard]] std::string nameComplaint(std::string_view name, std::size_t limitBytes);

// The name in quotation marks for a message: cut after 80 bytes, everything unprintable shown as
// "?".
[[nodiscard]] std::string quotedName(std::string_view name);

}  // namespace qs::core
