#pragma once

#include "core/base/note.h"

#include <string>
#include <vector>

namespace qs::core {

// What a note, a doubt or the reason of an impossible cell says, in a sentence without its end.
[[nodiscard]] std::string noteText(const Note& note);
[[nodiscard]] std::vector<std::string> noteTexts(const std::vector<Note>& notes);

}  // namespace qs::core
