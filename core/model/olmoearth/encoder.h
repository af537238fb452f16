#pragma once

#include "core/graph/graph.h"
#include "core/model/model.h"
#include "core/model/olmoearth/variant.h"

#include <cstdint>
#include <vector>

namespace qs::core::olmoearth {

inline constexpr std::int64_t kLargestPatch = 8;  // what patches are scaled to
inline constexpr std::int64_t kMostSteps = 12;    // of time, that there are encodings for

struct EncoderShape {
    std::int64_t batch = 1;
    std::int64_t tile = 64;  // pixels a side
    std::int64_t patch = 4;
    std::int64_t steps = 12;

    [[nodiscard]] std::int64_t patches() const { return tile / patch; }
};

// Under the names of checkpoints, without "encoder.".
[[nodiscard]] std::vector<WeightSpec> weightsOf(const Variant& variant);

// Images [B, H, W, T, bands] of each modality, and "timestamps" int64 [B, T, 3] (day, month from 0,
// year) -> "tokens" [B, N, D]: those of one modality after the other, each in the order rows,
// columns, time, bandset.
[[nodiscard]] Result<Graph> buildEncoder(const Variant& variant, const EncoderShape& shape,
                                         DType compute);

}  // namespace qs::core::olmoearth
