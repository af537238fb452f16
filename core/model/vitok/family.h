#pragma once

#include "core/model/family_registry.h"

namespace qs::core::vitok {

// The row of the family in the registry.
[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::vitok
