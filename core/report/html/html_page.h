#pragma once

#include <string>
#include <string_view>

namespace qs::core {

// A whole document that loads nothing: its policy forbids every connection, and allows the one
// style and the one script that it was made with, so that text of a run can never run. `title` is
// plain text, `body` HTML.
[[nodiscard]] std::string htmlPage(std::string_view title, std::string_view body);

}  // namespace qs::core
