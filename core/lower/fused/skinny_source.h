#pragma once

#include "core/base/result.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/skinny_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// The kernel of a group with a skinny product, see Note [Skinny products]: pointers to the inputs
// of the group and to its outputs, dense.
struct SkinnySource {
    std::string text;  // without the prelude
    std::string name;
    SkinnyProduct skinny;
    SkinnyShape shape;
};

// One for each shape that is worth trying; see skinnyShapes. `weights`: which inputs are there
// before a pass, none if it is empty; such codes are read while the kernels in front of it still
// run.
[[nodiscard]] Result<std::vector<SkinnySource>>
skinnySources(const Graph& group, const InputStrides& strides, Division division, int processors,
              bool hasClusters, const std::vector<bool>& weights);

// What all of these kernels have in common; sizes and the functions of a group stand before it.
[[nodiscard]] std::string_view skinnyCommon();
// The kernel that reads codes into registers; those of streamed codes are in streamed_codes.h.
[[nodiscard]] std::string_view skinnyFrame();

}  // namespace qs::core
