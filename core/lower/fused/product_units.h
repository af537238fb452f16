#pragma once

#include "core/device/description.h"
#include "core/lower/compile_mode.h"
#include "core/lower/fused/matrix_product.h"

namespace qs::core {

// The instructions by which kernels multiply matrices, see Note [Products in kernels]: those of one
// warp, which compute capability 8.0 has as well as later ones, or Hopper's of four warps.
enum class ProductUnits { None, Plain, Hopper };

// What kernels with products know of a device.
struct ProductChip {
    ProductUnits units = ProductUnits::None;
    bool hasFloat8 = false;  // whether the units multiply it
    int processors = 0;
    int sharedBytes = 0;  // that a block may have

    [[nodiscard]] bool multiplies(ProductType type) const;
};

// No better units than `most` are used. A CPU has none: it runs the compositions of the kernels.
[[nodiscard]] ProductChip productChip(const DeviceDescription& device,
                                      ProductUnits most = ProductUnits::Hopper);
// The best units that a compile mode uses.
[[nodiscard]] ProductUnits mostUnits(const CompileMode& mode);

}  // namespace qs::core
