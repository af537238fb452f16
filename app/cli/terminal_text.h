#pragma once

#include <string>

namespace qs::app {

// The text with '?' for control characters: what a worker or a file says may hold escape
// sequences, and a terminal must not obey them.
[[nodiscard]] std::string safeForTerminal(const std::string& text);

}  // namespace qs::app
