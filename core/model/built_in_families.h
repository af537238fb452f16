#pragma once

#include "core/model/family_spec.h"

#include <vector>

namespace qs::core {

// The rows of the families that come with the program, in the order of lists. The first one stands
// in for checkpoints that no family recognises: its error says what was expected. Written by CMake
// from the list of folders (core/model/CMakeLists.txt).
[[nodiscard]] std::vector<FamilySpec> builtInFamilies();

}  // namespace qs::core
