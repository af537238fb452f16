#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// An example of a file of instructions as a model is trained on it.
struct AlpacaText {
    int line = 0;  // of the file, from 1
    std::string text;
};

// A JSON object a line with the texts "instruction", "output" and, if there is one, "input", put
// into the frame of Stanford Alpaca. Other members are left alone. Errors name the line.
[[nodiscard]] Result<std::vector<AlpacaText>> alpacaTexts(std::string_view jsonl);

}  // namespace qs::core
