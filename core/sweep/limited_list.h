#pragma once

#include "core/base/json.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Whether it is a list of at most `most` of these ("gates"); complains if it is not.
[[nodiscard]] bool isListWithin(const Json& json, std::size_t most, std::string_view what,
                                const std::string& path, std::vector<JsonIssue>& issues);

}  // namespace qs::core
