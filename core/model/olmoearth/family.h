#pragma once

#include "core/model/family_registry.h"

namespace qs::core::olmoearth {

// The row of OlmoEarth encoders in the registry.
[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::olmoearth
