#pragma once

#include "core/model/family_registry.h"

namespace qs::core::packaged {

// The row of packages of AOTInductor in the registry.
[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::packaged
