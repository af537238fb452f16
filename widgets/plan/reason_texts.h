#pragma once

#include <map>
#include <string>

namespace qs::widgets {

// Axis -> value -> why no cell with that value can run, in words. See
// core/sweep/impossible_values.h.
using ReasonTexts = std::map<std::string, std::map<std::string, std::string>>;

}  // namespace qs::widgets
