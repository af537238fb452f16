#pragma once

#include <string>

namespace qs::core {

// The text with U+FFFD for all that is not UTF-8. A worker may write any bytes, and the journal
// refuses text that does not read back; that must not cost a row.
[[nodiscard]] std::string cleanText(const std::string& text);

}  // namespace qs::core
