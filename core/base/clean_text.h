#pragma once

#include <string>
#include <string_view>

namespace qs::core {

class ParsedJson;

// Note [Clean text]
// Texts of workers, files and names of files may hold anything. What is shown, logged or stored has
// U+FFFD for all that is not UTF-8, for control characters (C0 and C1: a terminal would obey them)
// and for what turns the direction of writing (a name could then read as another one). Documents
// are cleaned as they are read, see cleanTexts(); texts from elsewhere where they come in.

// Keeps line feeds and tabs.
[[nodiscard]] std::string cleanText(std::string_view text);
// One line: line breaks and tabs become spaces.
[[nodiscard]] std::string cleanLine(std::string_view text);
[[nodiscard]] bool isUtf8(std::string_view text);

// The document with all of its texts and keys cleaned. `source` is what it was parsed from: one
// look at it spares nearly every document the walk, which a long journal would feel.
[[nodiscard]] ParsedJson cleanTexts(ParsedJson document, std::string_view source);

}  // namespace qs::core
