#pragma once

#include <string>
#include <string_view>

namespace qs::core {

// RFC 4648, with padding, in one line.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace qs::core
