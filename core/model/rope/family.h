#pragma once

#include "core/model/family_spec.h"

namespace qs::core::rope {

[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::rope
