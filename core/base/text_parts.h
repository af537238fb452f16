#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Without blanks, tabs and line ends at its ends; a part of the text that is given.
[[nodiscard]] std::string_view trimmed(std::string_view text);
// "a/b" -> "a", "b"; always at least one part, which may be empty.
[[nodiscard]] std::vector<std::string> splitAt(std::string_view text, char separator);
// The same at separators that stand in no braces: "a.{0,2},b" -> "a.{0,2}", "b".
[[nodiscard]] std::vector<std::string> splitOutsideBraces(std::string_view text, char separator);
// One part if all are equal.
[[nodiscard]] std::string joinedWithoutRepeats(const std::vector<std::string>& parts,
                                               char separator);

// 1, "cell" -> "1 cell"; 1200, "cell" -> "1200 cells"; for words that take an "s".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view what);

}  // namespace qs::core
