#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/float8_rules.h"
#include "core/quant/schemes/quantized_weight.h"

#include <string>

// float8: scale = absmax / 448, the division in the input type, then float32;
// code = e4m3(clamp(float32(x) / scale, ±448)). Where that scale is 0 (a zero row, or one so small
// that the division underflows) it becomes 1, so that the row gives 0 (torchao: NaN).
namespace qs::core {

namespace {

// `dimensions` are reduced to one scale; empty for one scale of the whole tensor. With
// scale=float32 that division is one of float32, with by=reciprocal the second one a product.
Quantized quantizeFloat8(const Scheme& scheme, GraphBuilder& b, ValueId x,
                         const std::vector<std::int64_t>& dimensions)
{
    const ValueId largest = b.absoluteMaximum(x, dimensions);
    const bool wideScale = scheme.word("scale") == "float32";
    const ValueId ratio =
        b.cast(b.scalar("div", wideScale ? b.cast(largest, DType::Float32) : largest, kLargestE4M3),
               DType::Float32);
    // A row of zeros: 0 / 0 would be NaN. Adding "is zero" as a number turns its scale into 1.
    const ValueId isZero = b.cast(b.equals(ratio, 0.0), DType::Float32);
    const ValueId scale = b.binary("add", ratio, isZero);
    const ValueId wide = b.cast(x, DType::Float32);
    const ValueId scaled = divides(scheme) ? b.binary("div", wide, scale)
                                           : b.binary("mul", wide, b.unary("reciprocal", scale));
    return {roundToE4M3(b, scaled), scale};
}

std::vector<StoredPart> storedPerRow(const Scheme&, std::int64_t out, std::int64_t in)
{
    return codesWithRowScales(DType::Float8E4M3, out, in);
}

std::vector<StoredPart> storedPerTensor(const Scheme&, std::int64_t out, std::int64_t in)
{
    return {{"codes", {DType::Float8E4M3, {out, in}}}, {"scale", {DType::Float32, {}}}};
}

std::vector<ValueId> quantizeRows(const Scheme& scheme, GraphBuilder& b, const WeightParts& parts)
{
    const Quantized quantized = quantizeFloat8(scheme, b, parts.weight, {-1});
    return {quantized.codes, quantized.scale};
}

std::vector<ValueId> quantizeTensor(const Scheme& scheme, GraphBuilder& b, const WeightParts& parts)
{
    const Quantized quantized = quantizeFloat8(scheme, b, parts.weight, {});
    return {quantized.codes, quantized.scale};
}

ValueId linearDynamic(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts, bool perRow,
                      const DeviceDescription& device, std::vector<Note>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const Quantized x = quantizeFloat8(
        scheme, b, parts.x, perRow ? std::vector<std::int64_t>{-1} : std::vector<std::int64_t>{});
    const ValueId weightScale = perRow ? b.matrixTranspose(parts.stored[1]) : parts.stored[1];
    return float8Product(b, x, parts.stored[0], weightScale, parts.bias, before, device, notes);
}

ValueId linearPerRow(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                     const DeviceDescription& device, std::vector<Note>& notes)
{
    return linearDynamic(scheme, b, parts, true, device, notes);
}

ValueId linearPerTensor(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                        const DeviceDescription& device, std::vector<Note>& notes)
{
    return linearDynamic(scheme, b, parts, false, device, notes);
}

// y = linear(x, bf16(float32(codes) · scale)) + bias; the product is rounded before the bias comes,
// as in torchao.
ValueId linearWeightOnly(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                         const DeviceDescription&, std::vector<Note>&)
{
    const ValueId wide = b.binary("mul", b.cast(parts.stored[0], DType::Float32), parts.stored[1]);
    return multiply(scheme, b, parts, wide);
}

std::vector<Parameter> options()
{
    return {{.name = "scale",
             .description = "Scales divided in the working type, or in float32",
             .fallback = std::string("working"),
             .choices = {std::string("working"), std::string("float32")}},
            roundingParameter("division"),
            restParameter()};
}

// What both dynamic schemes have in common.
SchemeSpec dynamicScheme()
{
    return {
        .parameters = options(),
        .outside = "bf16",
        .activationRule =
            [](const Scheme&) { return std::string("absmax / 448, quantized values -448 … 448"); },
        .needs = float8Needs(),
        .peak = PeakClass::Bits8,
        .alignment = float8Alignment,
        .restoreWeight = scaledCodes,
        .product = float8ProductOf};
}

}  // namespace

std::vector<SchemeSpec> float8Schemes()
{
    SchemeSpec perTensor = dynamicScheme();
    perTensor.name = "float8dq-tensor";
    perTensor.description =
        "8-bit float weights (e4m3) with one scale; activations quantized with one scale in "
        "every pass and multiplied in float8; for most speed on GPUs with float8, where no "
        "outliers spoil the scale";
    perTensor.tone = 3;
    perTensor.stored = storedPerTensor;
    perTensor.quantizeWeight = quantizeTensor;
    perTensor.linear = linearPerTensor;

    SchemeSpec perRow = dynamicScheme();
    perRow.name = "float8dq-row";
    perRow.description = "8-bit float weights (e4m3) with a scale per output row; activations "
                         "quantized per token in every pass and multiplied in float8; for speed "
                         "at large batches on GPUs with float8";
    perRow.tone = 2;
    perRow.stored = storedPerRow;
    perRow.quantizeWeight = quantizeRows;
    perRow.linear = linearPerRow;

    return {perTensor,
            perRow,
            {.name = "float8wo",
             .description = "8-bit float weights (e4m3) with a scale per output row; products "
                            "with bfloat16 activations, for which eager widens the weights in "
                            "every pass; for half the memory of weights where rows mix large "
                            "weights with small ones, which int8wo rounds to zero",
             .parameters = options(),
             .outside = "bf16",
             .tone = 5,
             .stored = storedPerRow,
             .quantizeWeight = quantizeRows,
             .restoreWeight = scaledCodes,
             .linear = linearWeightOnly}};
}

}  // namespace qs::core
