#pragma once

#include "core/base/note.h"

#include <string>
#include <vector>

namespace qs::core {

// What a note or a doubt says, in a sentence without its end.
[[nodiscard]] std::string noteText(const Note& note);
[[nodiscard]] std::vector<std::string> noteTexts(const std::vector<Note>& notes);

}  // namespace qs::core
