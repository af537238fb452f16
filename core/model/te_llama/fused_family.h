#pragma once

#include "core/model/model.h"
#include "core/model/te_llama/fused_variant.h"

#include <memory>

namespace qs::core::te_llama {

// One stage "forward", see core/model/te_llama/fused_blocks.h.
[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant);

// The length of its sequences.
[[nodiscard]] SizeSpec sequenceSpec();

}  // namespace qs::core::te_llama
