#pragma once

#include "core/base/result.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/skinny_product.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// The kernel of a group with a skinny product, see Note [Skinny products]: pointers to the inputs
// of the group and to its outputs, dense. A block computes some columns of the result: its warps
// share k, and add up in shared memory, always in the same order.
struct SkinnySource {
    std::string text;  // without the prelude
    std::string name;
    SkinnyProduct skinny;
    int warps = 0;  // of a block
    std::int64_t blocks = 0;
};

// One for each number of warps that is worth trying. `weights`: which inputs are there before a
// pass, none if it is empty; such codes are read while the kernels in front of it still run.
[[nodiscard]] Result<std::vector<SkinnySource>> skinnySources(const Graph& group,
                                                              const InputStrides& strides,
                                                              Division division,
                                                              const std::vector<bool>& weights);

}  // namespace qs::core
