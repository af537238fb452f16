#pragma once

#include "core/model/family_registry.h"

namespace qs::core::quantized {

// The row in the registry: checkpoints that were written quantized, of models of any family.
[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::quantized
