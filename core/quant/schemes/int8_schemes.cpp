#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/quantized_weight.h"

// int8: scale = max(absmax / 127.5, 2^-23), the division in the input type, then float32;
// code = clamp(round(x · (1 / scale)), -128, 127), product in float32, halves to even.
namespace qs::core {

namespace {

constexpr double kInt8Divisor = 127.5;
constexpr double kFloat32Epsilon = 1.1920928955078125e-07;
// CUDA's int8 product refuses fewer rows: smaller matrices are padded with zero rows.
constexpr std::int64_t kLeastRowsOnCuda = 17;

// One scale per row.
Quantized quantizeInt8(GraphBuilder& b, ValueId x)
{
    const ValueId ratio = b.scalar("div", b.absoluteMaximum(x, {-1}), kInt8Divisor);
    const ValueId scale = b.cast(b.clampMin(ratio, kFloat32Epsilon), DType::Float32);
    const ValueId scaled = b.binary("mul", x, b.unary("reciprocal", scale));
    return {b.cast(b.clamp(b.unary("round", scaled), -128.0, 127.0), DType::Int8), scale};
}

std::vector<StoredPart> stored(const Scheme&, std::int64_t out, std::int64_t in)
{
    return codesWithRowScales(DType::Int8, out, in);
}

std::vector<ValueId> quantizeWeight(const Scheme&, GraphBuilder& b, ValueId weight)
{
    const Quantized quantized = quantizeInt8(b, weight);
    return {quantized.codes, quantized.scale};
}

// y = bf16(int32 product · scale of the token) · scale of the row + bias, in float32, then the
// input type.
ValueId linearDynamic(const Scheme&, GraphBuilder& b, const LayerParts& parts,
                      const DeviceDescription& device, std::vector<Note>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const Quantized x = quantizeInt8(b, parts.x);
    const std::int64_t rows = b.shape(parts.x)[0];
    const bool pads = device.kind == DeviceKind::Cuda && rows < kLeastRowsOnCuda;
    ValueId codes = x.codes;
    if (pads) {
        codes = b.padRows(codes, kLeastRowsOnCuda - rows);
        notes.push_back({NoteCode::RowsPadded,
                         {static_cast<double>(rows), static_cast<double>(kLeastRowsOnCuda)}});
    }
    ValueId product = b.integerMatmul(codes, b.matrixTranspose(parts.stored[0]));
    if (pads)
        product = b.slice(product, 0, 0, rows);
    const ValueId perToken = b.cast(b.binary("mul", product, x.scale), before);
    const ValueId perRow = b.binary("mul", perToken, b.flatten(parts.stored[1], 0, 1));
    return b.cast(addBias(b, perRow, parts.bias), before);
}

// y = (x · bf16(codes)ᵀ) · bf16(scale of the row) + bias.
ValueId linearWeightOnly(const Scheme&, GraphBuilder& b, const LayerParts& parts,
                         const DeviceDescription&, std::vector<Note>&)
{
    const DType before = b.type(parts.x).dtype;
    const ValueId wide = b.cast(b.matrixTranspose(parts.stored[0]), before);
    const ValueId product =
        b.call1("aten::mm", {{"self", ValueRef{parts.x}}, {"mat2", ValueRef{wide}}});
    const ValueId scale = b.cast(parts.stored[1], before);
    return addBias(b, b.binary("mul", product, b.flatten(scale, 0, 1)), parts.bias);
}

// y = conv(x, bf16(codes) · bf16(scale of the output channel)) + bias.
ValueId convolveWeightOnly(const Scheme&, GraphBuilder& b, const ConvolutionParts& parts,
                           const DeviceDescription&, std::vector<Note>&)
{
    const DType before = b.type(parts.x).dtype;
    const ValueId codes = b.cast(parts.stored[0], before);
    const ValueId wide = b.binary("mul", codes, b.cast(parts.stored[1], before));
    return convolve(b, parts.x, b.view(wide, parts.weightShape), parts.bias, parts);
}

}  // namespace

std::vector<SchemeSpec> int8Schemes()
{
    return {
        {.name = "int8dq",
         .description = "8-bit integer weights per output row, activations quantized dynamically "
                        "per token (W8A8)",
         .outside = "bf16",
         .activationRule = "absmax / 127.5, quantized values -128 … 127",
         .peak = PeakClass::Bits8,
         .tone = 1,
         .stored = stored,
         .alignment =
             [](const Scheme&) {
                 return Alignment{8, 8};
             },
         .quantizeWeight = quantizeWeight,
         .linear = linearDynamic,
         .product =
             [](const Scheme&, const DeviceDescription&) {
                 return Product{"aten::_int_mm", DType::Int32};
             }},
        {.name = "int8wo",
         .description = "8-bit integer weights per output row, bfloat16 activations",
         .outside = "bf16",
         .tone = 4,
         .stored = stored,
         .quantizeWeight = quantizeWeight,
         .linear = linearWeightOnly,
         .convolution = convolveWeightOnly,
         .product =
             [](const Scheme& scheme, const DeviceDescription&) {
                 return Product{"aten::mm", scheme->workingType};
             }},
    };
}

}  // namespace qs::core
