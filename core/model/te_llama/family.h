#pragma once

#include "core/model/family_spec.h"

namespace qs::core::te_llama {

[[nodiscard]] FamilySpec familySpec();

}  // namespace qs::core::te_llama
