#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace qs::core {

// The letter that begins at `at`, and behind which byte it ends. The text must be UTF-8.
struct Utf8Letter {
    char32_t letter = 0;
    std::size_t end = 0;
};
[[nodiscard]] Utf8Letter letterAt(std::string_view text, std::size_t at);
// The letter that ends before `end`, which is not 0.
[[nodiscard]] char32_t letterBefore(std::string_view text, std::size_t end);
void appendUtf8(std::string& text, char32_t letter);

}  // namespace qs::core
