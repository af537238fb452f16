#pragma once

#include <string>

namespace qs::core {

// Whether two notes differ in their figures at most, as those of two rounds do. Figures in brackets
// are part of a name and count: "python3 (pid 812)" is not "python3 (pid 900)".
[[nodiscard]] bool sayTheSame(const std::string& first, const std::string& second);

}  // namespace qs::core
