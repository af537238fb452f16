#pragma once

#include "core/base/json.h"

#include <map>
#include <string>
#include <string_view>

namespace qs::core {

// Reads a member that is an object whose own members are all texts; empty if it is absent. What is
// no text is a complaint.
[[nodiscard]] std::map<std::string, std::string> textMap(JsonFields& fields, std::string_view name);

}  // namespace qs::core
