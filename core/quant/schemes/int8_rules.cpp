#include "core/quant/schemes/int8_rules.h"

namespace qs::core {

namespace {

constexpr double kReducedDivisor = 127.0;
constexpr double kReducedFloor = 1e-5;
constexpr double kUnsignedLevels = 127.0;
constexpr double kSmallestUnsignedScale = 6.1e-5;  // of PyTorch's choice of parameters
constexpr double kSmallestNormal = 0x1p-126;
constexpr std::int64_t kLeastRowsOnCuda = 17;

// x in units of the scale, as the scheme rounds it.
ValueId steps(GraphBuilder& b, ValueId x, ValueId scale, bool divide)
{
    return divide ? b.binary("div", x, scale) : b.binary("mul", x, b.unary("reciprocal", scale));
}

// Sums that saturate are none: PyTorch multiplies 8 bits by oneDNN, which adds pairs of products in
// 16 bits where the processor has nothing wider.
bool saturates(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cpu && device.exactInt8Products == false;
}

// float64 holds every sum.
ValueId wideProduct(GraphBuilder& b, ValueId codes, ValueId columns)
{
    const ValueId left = b.cast(codes, DType::Float64);
    const ValueId right = b.cast(columns, DType::Float64);
    const ValueId product =
        b.call1("aten::mm", {{"self", ValueRef{left}}, {"mat2", ValueRef{right}}});
    return b.cast(product, DType::Int32);
}

}  // namespace

Quantized quantizeInt8(GraphBuilder& b, ValueId x, const std::vector<std::int64_t>& dimensions,
                       bool divide)
{
    const ValueId ratio = b.scalar("div", b.absoluteMaximum(x, dimensions), kInt8Divisor);
    const ValueId scale = b.cast(b.clampMin(ratio, kFloat32Epsilon), DType::Float32);
    // A scale without dimensions would leave x in its own type.
    const ValueId wide = dimensions.empty() ? b.cast(x, DType::Float32) : x;
    const ValueId scaled = steps(b, wide, scale, divide);
    return {b.cast(b.clamp(b.unary("round", scaled), -128.0, 127.0), DType::Int8), scale};
}

Quantized quantizeReduced(GraphBuilder& b, ValueId x, bool divide)
{
    const ValueId ratio = b.scalar("div", b.absoluteMaximum(x, {-1}), kReducedDivisor);
    const ValueId scale = b.clampMin(ratio, kReducedFloor);
    const ValueId rounded = b.unary("round", steps(b, x, scale, divide));
    const ValueId codes = b.cast(b.clamp(rounded, -127.0, 127.0), DType::Int8);
    return {codes, b.cast(scale, DType::Float32)};
}

Affine quantizeUnsigned(GraphBuilder& b, ValueId x, bool divide)
{
    const ValueId least = b.clamp(b.minimum(x, {}), -3.4028234663852886e38, 0.0);
    const ValueId most = b.clampMin(b.maximum(x, {}), 0.0);
    const ValueId range = b.binary("sub", most, least);
    // The zero point follows from the range itself, also where the scale has its floor.
    const ValueId ratio = b.clampMin(b.scalar("div", range, kUnsignedLevels), kSmallestNormal);
    const ValueId zero = b.unary("round", b.unary("neg", b.binary("div", least, ratio)));
    const ValueId scale = b.clampMin(ratio, kSmallestUnsignedScale);
    const ValueId rounded = b.unary("round", steps(b, x, scale, divide));
    const ValueId shifted = b.clamp(b.binary("add", rounded, zero), 0.0, kUnsignedLevels);
    return {b.cast(shifted, DType::Int8), scale, zero};
}

ValueId int8Product(GraphBuilder& b, ValueId codes, ValueId weight, const DeviceDescription& device,
                    std::vector<Note>& notes)
{
    const std::int64_t rows = b.shape(codes)[0];
    const bool pads = device.kind == DeviceKind::Cuda && rows < kLeastRowsOnCuda;
    if (pads) {
        codes = b.padRows(codes, kLeastRowsOnCuda - rows);
        notes.push_back({NoteCode::RowsPadded,
                         {static_cast<double>(rows), static_cast<double>(kLeastRowsOnCuda)}});
    }
    if (device.kind == DeviceKind::Cpu)
        notes.push_back({NoteCode::UnfusedInt8});
    if (saturates(device)) {
        notes.push_back({NoteCode::ReferenceInt8});
        return wideProduct(b, codes, b.matrixTranspose(weight));
    }
    const ValueId product = b.integerMatmul(codes, b.matrixTranspose(weight));
    return pads ? b.slice(product, 0, 0, rows) : product;
}

ValueId int8LinearOf(GraphBuilder& b, const Quantized& x, const LayerParts& parts,
                     const DeviceDescription& device, std::vector<Note>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const ValueId product = int8Product(b, x.codes, parts.stored[0], device, notes);
    const ValueId perToken = b.cast(b.binary("mul", product, x.scale), before);
    const ValueId perRow = b.binary("mul", perToken, b.flatten(parts.stored[1], 0, 1));
    return b.cast(addBias(b, perRow, parts.bias), before);
}

ValueId int8LinearPerToken(GraphBuilder& b, const LayerParts& parts, bool divide,
                           const DeviceDescription& device, std::vector<Note>& notes)
{
    const Quantized x = quantizeInt8(b, parts.x, {-1}, divide);
    return int8LinearOf(b, x, parts, device, notes);
}

ValueId subtractZero(GraphBuilder& b, ValueId product, ValueId zero, ValueId weight)
{
    const ValueId sums = b.call1("aten::sum.dim_IntList", {{"self", ValueRef{weight}},
                                                           {"dim", std::vector<std::int64_t>{-1}},
                                                           {"keepdim", false},
                                                           {"dtype", DType::Int32}});
    return b.binary("sub", product, b.binary("mul", sums, b.cast(zero, DType::Int32)));
}

Alignment int8Alignment(const Scheme&)
{
    return {8, 8};
}

Product int8ProductOf(const Scheme&, const DeviceDescription& device)
{
    return saturates(device) ? Product{"aten::mm", DType::Float64}
                             : Product{"aten::_int_mm", DType::Int32};
}

}  // namespace qs::core
