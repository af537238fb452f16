#pragma once

#include "core/graph/graph.h"
#include "core/model/vitok/variant.h"

namespace qs::core::vitok {

struct StageShape {
    std::int64_t batch;
    std::int64_t tokens;
    DType compute;  // type of weights and activations
    // Tokens may be none: patch_mask [B, N] (int64) is 1 for those that are. They neither attend
    // nor are attended to.
    bool masked = false;
    // Tokens attend to those at most so far away in the order of the rows of patches; 0: to all.
    std::int64_t window = 0;
};

// patches [B, N, 3P²], row_idx and col_idx [B, N] (int64) -> code [B, N, C]. Both stages have
// patch_mask as their last input where tokens are masked.
[[nodiscard]] Result<Graph> buildEncoder(const Variant& variant, const StageShape& shape);
// code [B, N, C], row_idx, col_idx -> decoded [B, N, 3P²].
[[nodiscard]] Result<Graph> buildDecoder(const Variant& variant, const StageShape& shape);

}  // namespace qs::core::vitok
