#pragma once

#include "core/model/family_spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

[[nodiscard]] Registry<FamilySpec>& familyRegistry();

// The sizes of all families, each name once, in the order of the registry.
[[nodiscard]] const std::vector<SizeSpec>& knownSizes();
// Null if no family has it.
[[nodiscard]] const SizeSpec* findKnownSize(std::string_view name);
// "512 px", "128 prompt tokens, 32 new tokens"; nothing of sizes that are off.
[[nodiscard]] std::string sizesText(const Sizes& sizes);

}  // namespace qs::core
