#pragma once

#include "core/graph/graph.h"
#include "core/model/vitok/variant.h"

namespace qs::core::vitok {

struct StageShape {
    std::int64_t batch;
    std::int64_t tokens;
    DType compute;  // type of weights and activations
};

// patches [B, N, 3P²], row_idx and col_idx [B, N] (int64) -> code [B, N, C].
[[nodiscard]] Result<Graph> buildEncoder(const Variant& variant, const StageShape& shape);
// code [B, N, C], row_idx, col_idx -> decoded [B, N, 3P²].
[[nodiscard]] Result<Graph> buildDecoder(const Variant& variant, const StageShape& shape);

}  // namespace qs::core::vitok
