#pragma once

#include "core/base/result.h"
#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/kernel_text.h"
#include "core/lower/fused/skinny_product.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// The part of a skinny product's kernel that is of its weights: functions that read what is known
// of row r, and what `width` neighbours in it from `first` on are made of; and one that makes them,
// as pairs of 16 bits in an order of its own, for which a fourth takes the first operand apart.
struct WeightReader {
    std::string text;
    int width = 0;                         // neighbours that are widened at once
    std::vector<std::size_t> inputs = {};  // of the group, that weights are made of
};

// Unsupported where the weights are made in another way.
[[nodiscard]] Result<WeightReader> weightReader(const Graph& group, const InputStrides& strides,
                                                Division division, const SkinnyProduct& product);

}  // namespace qs::core
