#pragma once

#include "core/graph/builder.h"

#include <vector>

// Rotary position embedding.
namespace qs::core {

// Cosine and sine of the rotary angles, [N, Dh/2].
struct RotaryTable {
    ValueId cosine;
    ValueId sine;
};

// Of positions [N]. Angles are computed in `type`; what comes out is of type `compute`.
[[nodiscard]] RotaryTable rotaryTable(GraphBuilder& builder,
                                      const std::vector<double>& inverseFrequencies,
                                      ValueId positions, DType type, DType compute);

// Neighbours (a, b) of the last dimension -> (a·cos - b·sin, b·cos + a·sin). x [.., N, Dh].
[[nodiscard]] ValueId turnPairs(GraphBuilder& builder, ValueId x, const RotaryTable& table);

}  // namespace qs::core
