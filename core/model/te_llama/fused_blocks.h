#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/model/model.h"
#include "core/model/te_llama/fused_variant.h"

#include <cstdint>
#include <vector>

namespace qs::core::te_llama {

[[nodiscard]] std::vector<WeightSpec> weightsOf(const Variant& variant);

struct ForwardShape {
    std::int64_t batch;
    std::int64_t sequence;
    DType compute;  // type of weights and activations
};

// tokens [B, S] (int64) -> logits [B, V] of the last position; the head computes those of all
// positions, as the benchmark does. Of blocks alone hidden [B, S, H] -> states [B, S, H].
[[nodiscard]] Result<Graph> buildForward(const Variant& variant, const ForwardShape& shape);

}  // namespace qs::core::te_llama
