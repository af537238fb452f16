#pragma once

#include "core/graph/builder.h"

#include <cstdint>
#include <vector>

// Rotary position embedding of neighbouring values.
namespace qs::core {

// Cosine and sine of the rotary angles, [N, Dh/2].
struct PairTable {
    ValueId cosine;
    ValueId sine;
};

// Of positions 0 … count - 1. Angles are computed in `type`; what comes out is of type `compute`.
[[nodiscard]] PairTable pairTable(GraphBuilder& builder,
                                  const std::vector<double>& inverseFrequencies, std::int64_t count,
                                  DType type, DType compute);

// Neighbours (a, b) of the last dimension -> (a·cos - b·sin, b·cos + a·sin). x [.., N, Dh].
[[nodiscard]] ValueId turnPairs(GraphBuilder& builder, ValueId x, const PairTable& table);

}  // namespace qs::core
