#pragma once

#include "core/model/text/tokenizer_parts.h"

#include <string_view>

namespace qs::core {

// What a tokenizer.json says, as far as it is byte-level byte pair encoding; what would change ids
// and is not known here is refused by its name.
[[nodiscard]] Result<TokenizerParts> parseTokenizer(std::string_view json, std::string_view source);

}  // namespace qs::core
