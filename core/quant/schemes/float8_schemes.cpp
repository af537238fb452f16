#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/quantized_weight.h"

// float8: scale = absmax / 448, the division in the input type, then float32;
// code = e4m3(clamp(float32(x) / scale, ±448)). Where that scale is 0 (a zero row, or one so small
// that the division underflows) it becomes 1, so that the row gives 0 (torchao: NaN).
namespace qs::core {

namespace {

constexpr double kLargestE4M3 = 448.0;

// `dimensions` are reduced to one scale; empty for one scale of the whole tensor.
Quantized quantizeFloat8(GraphBuilder& b, ValueId x, const std::vector<std::int64_t>& dimensions)
{
    const ValueId ratio =
        b.cast(b.scalar("div", b.absoluteMaximum(x, dimensions), kLargestE4M3), DType::Float32);
    // A row of zeros: 0 / 0 would be NaN. Adding "is zero" as a number turns its scale into 1.
    const ValueId isZero = b.cast(b.equals(ratio, 0.0), DType::Float32);
    const ValueId scale = b.binary("add", ratio, isZero);
    const ValueId scaled = b.binary("div", b.cast(x, DType::Float32), scale);
    return {b.cast(b.clamp(scaled, -kLargestE4M3, kLargestE4M3), DType::Float8E4M3), scale};
}

std::vector<StoredPart> storedPerRow(const Scheme&, std::int64_t out, std::int64_t in)
{
    return codesWithRowScales(DType::Float8E4M3, out, in);
}

std::vector<StoredPart> storedPerTensor(const Scheme&, std::int64_t out, std::int64_t in)
{
    return {{"codes", {DType::Float8E4M3, {out, in}}}, {"scale", {DType::Float32, {}}}};
}

std::vector<ValueId> quantizeRows(const Scheme&, GraphBuilder& b, ValueId weight)
{
    const Quantized quantized = quantizeFloat8(b, weight, {-1});
    return {quantized.codes, quantized.scale};
}

std::vector<ValueId> quantizeTensor(const Scheme&, GraphBuilder& b, ValueId weight)
{
    const Quantized quantized = quantizeFloat8(b, weight, {});
    return {quantized.codes, quantized.scale};
}

// CPUs multiply the codes in float32: same numerics, no speed.
bool hasScaledMatmul(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cuda;
}

// y = scaled product with fast accumulation, bfloat16 out, the bias inside.
ValueId linearDynamic(GraphBuilder& b, const LayerParts& parts, bool perRow,
                      const DeviceDescription& device, std::vector<Note>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const Quantized x = quantizeFloat8(
        b, parts.x, perRow ? std::vector<std::int64_t>{-1} : std::vector<std::int64_t>{});
    const ValueId weightScale = perRow ? b.matrixTranspose(parts.stored[1]) : parts.stored[1];
    if (hasScaledMatmul(device)) {
        const ValueId rowScale = perRow ? b.contiguous(weightScale) : weightScale;
        return b.scaledMatmul(x.codes, b.matrixTranspose(parts.stored[0]), x.scale, rowScale,
                              parts.bias, before, true);
    }
    notes.push_back({NoteCode::ReferenceFloat8});
    const ValueId wideX = b.cast(x.codes, DType::Float32);
    const ValueId product = b.linear(wideX, b.cast(parts.stored[0], DType::Float32));
    const ValueId scaled = b.binary("mul", b.binary("mul", product, x.scale), weightScale);
    return b.cast(addBias(b, scaled, parts.bias), before);
}

ValueId linearPerRow(const Scheme&, GraphBuilder& b, const LayerParts& parts,
                     const DeviceDescription& device, std::vector<Note>& notes)
{
    return linearDynamic(b, parts, true, device, notes);
}

ValueId linearPerTensor(const Scheme&, GraphBuilder& b, const LayerParts& parts,
                        const DeviceDescription& device, std::vector<Note>& notes)
{
    return linearDynamic(b, parts, false, device, notes);
}

// y = linear(x, bf16(float32(codes) · scale)) + bias; the product is rounded before the bias comes,
// as in torchao.
ValueId linearWeightOnly(const Scheme&, GraphBuilder& b, const LayerParts& parts,
                         const DeviceDescription&, std::vector<Note>&)
{
    const ValueId wide = b.binary("mul", b.cast(parts.stored[0], DType::Float32), parts.stored[1]);
    return addBias(b, b.linear(parts.x, b.cast(wide, b.type(parts.x).dtype)), parts.bias);
}

Product dynamicProduct(const Scheme& scheme, const DeviceDescription& device)
{
    return hasScaledMatmul(device) ? Product{"aten::_scaled_mm", scheme->workingType}
                                   : Product{"aten::linear", DType::Float32};
}

// What both dynamic schemes have in common.
SchemeSpec dynamicScheme()
{
    return {.outside = "bf16",
            .activationRule = "absmax / 448, quantized values -448 … 448",
            .needs = {.what = "float8 matrix products",
                      .computeMajor = 8,
                      .computeMinor = 9,
                      .generations = "Ada, Hopper or newer"},
            .peak = PeakClass::Bits8,
            .alignment =
                [](const Scheme&) {
                    return Alignment{16, 16};
                },
            .product = dynamicProduct};
}

}  // namespace

std::vector<SchemeSpec> float8Schemes()
{
    SchemeSpec perTensor = dynamicScheme();
    perTensor.name = "float8dq-tensor";
    perTensor.description =
        "e4m3 weights and activations with one scale each, activations quantized dynamically";
    perTensor.tone = 3;
    perTensor.stored = storedPerTensor;
    perTensor.quantizeWeight = quantizeTensor;
    perTensor.linear = linearPerTensor;

    SchemeSpec perRow = dynamicScheme();
    perRow.name = "float8dq-row";
    perRow.description = "e4m3 weights per output row, activations quantized dynamically per token";
    perRow.tone = 2;
    perRow.stored = storedPerRow;
    perRow.quantizeWeight = quantizeRows;
    perRow.linear = linearPerRow;

    return {perTensor,
            perRow,
            {.name = "float8wo",
             .description = "e4m3 weights per output row, bfloat16 activations",
             .outside = "bf16",
             .tone = 5,
             .stored = storedPerRow,
             .quantizeWeight = quantizeRows,
             .linear = linearWeightOnly}};
}

}  // namespace qs::core
