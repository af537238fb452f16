#pragma once

#include "core/model/family_registry.h"

namespace qs::core::exported {

// The row of programs of torch.export in the registry.
[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::exported
