#pragma once

#include "core/device/description.h"
#include "core/lower/arrangement.h"
#include "core/lower/fused/matrix_product.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace qs::core {

// Note [Skinny products]
// A product with few rows takes as long as reading its weights does. Where they are stored as codes
// of eight or four bits, a kernel reads the codes, widens them in registers as the composition
// does, rounding by rounding, and multiplies 16 bits there; or it multiplies the codes themselves,
// see Note [Streamed codes]. With more rows, codes are widened once in a kernel of their own, and
// the product is the library's.

inline constexpr std::int64_t kSkinnyRows = 16;  // at most
inline constexpr int kByteCodes = 16;            // that are read at once

struct SkinnyProduct {
    MatrixProduct product;  // of `b` the rows alone
    ValueId weight = -1;    // {n, k}, or {k, n} if it is turned: computed in the group
    bool turned = false;
};

// Whether a GPU has the units that the kernels use; a CPU runs their compositions.
[[nodiscard]] bool multipliesCodes(const DeviceDescription& device);

// Whether rows of codes are whole pieces of what kernels read at once; of products with many rows
// it does not matter.
[[nodiscard]] bool readsWholeCodes(const ProductCall& call);

// The operations that make the second operand of a product with few rows of codes and other
// weights, in order: none where it has many, or where its operand is made otherwise or read by
// others as well. `taken`: nodes that belong to groups already.
[[nodiscard]] NodeGroup codesOf(const GraphUses& uses, const NodeOrder& order,
                                const std::vector<bool>& taken, std::size_t product);

// The product of such a group; nothing if it has none, or one whose first operand lies otherwise.
[[nodiscard]] std::optional<SkinnyProduct> skinnyProduct(const Graph& group,
                                                         const InputStrides& strides);

}  // namespace qs::core
