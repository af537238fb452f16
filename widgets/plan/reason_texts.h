#pragma once

#include <map>
#include <string>

namespace qs::widgets {

// Axis -> value -> why no cell with that value can run, in words. See
// core/sweep/impossible_values.h.
using ReasonTexts = std::map<std::string, std::map<std::string, std::string>>;

// The same of one axis: value -> why it cannot run on the device that is planned for.
using Reasons = ReasonTexts::mapped_type;

}  // namespace qs::widgets
