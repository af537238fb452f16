#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace qs::core {

// So much of what somebody wrote is repeated to them at most.
inline constexpr std::size_t kMostQuoted = 160;  // bytes

// The text, or its beginning and "…"; letters of UTF-8 stay whole.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t mostBytes = kMostQuoted);

// A sentence in which whatever stands between two " is an excerpt: a file may hold megabytes where
// a word is expected.
[[nodiscard]] std::string withShortQuotes(std::string_view sentence);

}  // namespace qs::core
