#include "core/quant/schemes/float8_rules.h"

namespace qs::core {

namespace {

// The only one that products with scales of rows give.
constexpr DType kProductType = DType::BFloat16;

bool hasScaledMatmul(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cuda;
}

ValueId scaledProduct(GraphBuilder& b, const Quantized& x, ValueId weight, ValueId weightScale,
                      ValueId bias)
{
    const bool perRow = !b.shape(weightScale).empty();
    const ValueId rowScale = perRow ? b.contiguous(weightScale) : weightScale;
    return b.scaledMatmul(x.codes, b.matrixTranspose(weight), x.scale, rowScale, bias, kProductType,
                          true);
}

ValueId referenceProduct(GraphBuilder& b, const Quantized& x, ValueId weight, ValueId weightScale,
                         ValueId bias, std::vector<Note>& notes)
{
    notes.push_back({NoteCode::ReferenceFloat8});
    const ValueId wideX = b.cast(x.codes, DType::Float32);
    const ValueId product = b.linear(wideX, b.cast(weight, DType::Float32));
    const ValueId scaled = b.binary("mul", b.binary("mul", product, x.scale), weightScale);
    return b.cast(addBias(b, scaled, bias), kProductType);
}

}  // namespace

ValueId roundToE4M3(GraphBuilder& b, ValueId scaled)
{
    return b.cast(b.clamp(scaled, -kLargestE4M3, kLargestE4M3), DType::Float8E4M3);
}

ValueId float8Product(GraphBuilder& b, const Quantized& x, ValueId weight, ValueId weightScale,
                      ValueId bias, DType type, const DeviceDescription& device,
                      std::vector<Note>& notes)
{
    const ValueId within = type == kProductType ? bias : -1;
    const ValueId product = hasScaledMatmul(device)
                                ? scaledProduct(b, x, weight, weightScale, within)
                                : referenceProduct(b, x, weight, weightScale, within, notes);
    return type == kProductType ? product : addBias(b, b.cast(product, type), bias);
}

Product float8ProductOf(const Scheme&, const DeviceDescription& device)
{
    return hasScaledMatmul(device) ? Product{"aten::_scaled_mm", kProductType}
                                   : Product{"aten::linear", DType::Float32};
}

Alignment float8Alignment(const Scheme&)
{
    return {16, 16};
}

DeviceNeeds float8Needs()
{
    return {.what = "float8 matrix products",
            .computeMajor = 8,
            .computeMinor = 9,
            .generations = "Ada, Hopper or newer"};
}

}  // namespace qs::core
