#pragma once

#include "core/quant/schemes/quantized_weight.h"

// What the schemes of float8 products share.
namespace qs::core {

inline constexpr double kLargestE4M3 = 448.0;

// e4m3(clamp(x, ±448)) of a float32 tensor.
[[nodiscard]] ValueId roundToE4M3(GraphBuilder& b, ValueId scaled);
// The scaled product with fast accumulation; on CPUs the codes are multiplied in float32: same
// numerics, no speed. It gives bfloat16, the bias inside; where `type` is another one, the bias is
// added in that. weight [out, in]; weightScale of the whole or [1, out].
[[nodiscard]] ValueId float8Product(GraphBuilder& b, const Quantized& x, ValueId weight,
                                    ValueId weightScale, ValueId bias, DType type,
                                    const DeviceDescription& device, std::vector<Note>& notes);

[[nodiscard]] Product float8ProductOf(const Scheme&, const DeviceDescription& device);
[[nodiscard]] Alignment float8Alignment(const Scheme& scheme);
[[nodiscard]] DeviceNeeds float8Needs();

}  // namespace qs::core
