#pragma once

#include "core/model/llama/config.h"
#include "core/model/model.h"

#include <memory>
#include <vector>

namespace qs::core::llama {

// Stages "prefill" and "decode", see Note [Generation] in core/model/llama/decoder.h.
[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(const Config& config);

// Tokens of the prompt, and tokens that are generated.
[[nodiscard]] std::vector<SizeSpec> sizeSpecs();

}  // namespace qs::core::llama
