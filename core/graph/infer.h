#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// PyTorch's rules for shapes and types of results, as far as our operations need them. Arguments
// that do not fit each other are broken contracts of the caller.
namespace qs::core::infer {

// The place of a dimension that may be counted from the end.
[[nodiscard]] std::size_t axis(const std::vector<std::int64_t>& shape, std::int64_t dimension);
[[nodiscard]] std::vector<std::int64_t> broadcast(const std::vector<std::int64_t>& a,
                                                  const std::vector<std::int64_t>& b);
// Of two tensors. A scalar tensor (no dimensions) does not widen a tensor of its own category.
[[nodiscard]] DType promoted(const TensorType& a, const TensorType& b);
// Extent 1 for each of the dimensions; a scalar if there are none.
[[nodiscard]] std::vector<std::int64_t> reduced(std::vector<std::int64_t> shape,
                                                const std::vector<std::int64_t>& dimensions);

}  // namespace qs::core::infer
