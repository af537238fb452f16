#pragma once

#include <string>

namespace qs::core {

// The tokenizer.json of models whose tokens are the bytes of a UTF-8 text, id = byte.
[[nodiscard]] std::string byteTokenizer();

}  // namespace qs::core
