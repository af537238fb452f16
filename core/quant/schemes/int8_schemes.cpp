#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/int8_convolution.h"
#include "core/quant/schemes/int8_rules.h"
#include "core/quant/schemes/quantized_weight.h"

// int8: the weight by its rows, activations by tokens as they come; see core/quant/schemes/
// int8_rules.h.
namespace qs::core {

namespace {

std::vector<StoredPart> storedInt8(const Scheme&, std::int64_t out, std::int64_t in)
{
    return codesWithRowScales(DType::Int8, out, in);
}

bool perTensor(const Scheme& scheme)
{
    return scheme.word("rule") == "tensor";
}

std::vector<StoredPart> storedDynamic(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    if (perTensor(scheme))
        return {{"codes", {DType::Int8, {out, in}}}, {"scale", {DType::Float32, {}}}};
    return storedInt8(scheme, out, in);
}

// torchao before 0.16 left layers of up to so many inputs alone.
constexpr std::int64_t kReducedLeavesAlone = 16;

// quantize_dynamic takes a layer of any size, such as the ten classes of a head.
Alignment dynamicAlignment(const Scheme& scheme)
{
    if (perTensor(scheme))
        return {};
    Alignment alignment = int8Alignment(scheme);
    if (scheme.word("rule") == "reduced")
        alignment.fewestIn = kReducedLeavesAlone + 1;
    return alignment;
}

std::vector<ValueId> quantizeRowsInt8(const Scheme& scheme, GraphBuilder& b,
                                      const WeightParts& parts)
{
    const Quantized quantized = quantizeInt8(b, parts.weight, {-1}, divides(scheme));
    return {quantized.codes, quantized.scale};
}

std::vector<ValueId> quantizeWeightDynamic(const Scheme& scheme, GraphBuilder& b,
                                           const WeightParts& parts)
{
    if (!perTensor(scheme))
        return quantizeRowsInt8(scheme, b, parts);
    const ValueId wide = b.cast(parts.weight, DType::Float32);
    const Quantized quantized = quantizeInt8(b, wide, {}, divides(scheme));
    return {quantized.codes, quantized.scale};
}

// The rule of torch.ao.quantization.quantize_dynamic: y = (int32 product - zero · sums of the rows)
// · (scale of x · scale of the weight) + bias in float32, then the input type.
ValueId linearPerTensorInt8(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                            const DeviceDescription& device, std::vector<Note>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const Affine x = quantizeUnsigned(b, b.cast(parts.x, DType::Float32), divides(scheme));
    const ValueId product = alignedInt8Product(b, x.codes, parts.stored[0], device, notes);
    const ValueId corrected = subtractZero(b, product, x.zero, parts.stored[0]);
    const ValueId scale = b.binary("mul", x.scale, parts.stored[1]);
    const ValueId y = b.binary("mul", b.cast(corrected, DType::Float32), scale);
    const ValueId bias = parts.bias < 0 ? -1 : b.cast(parts.bias, DType::Float32);
    return b.cast(addBias(b, y, bias), before);
}

ValueId linearDynamicInt8(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                          const DeviceDescription& device, std::vector<Note>& notes)
{
    if (perTensor(scheme))
        return linearPerTensorInt8(scheme, b, parts, device, notes);
    if (scheme.word("rule") == "reduced")
        return int8LinearOf(b, quantizeReduced(b, parts.x, divides(scheme)), parts, device, notes);
    return int8LinearPerToken(b, parts, divides(scheme), device, notes);
}

std::string activationRule(const Scheme& scheme)
{
    const std::string& rule = scheme.word("rule");
    if (rule == "reduced")
        return "absmax / 127, at least 1e-5, quantized values -127 … 127";
    return rule == "tensor"
               ? "range / 127 of the tensor with a zero point, quantized values 0 … 127"
               : "absmax / 127.5, quantized values -128 … 127";
}

// y = (x · bf16(codes)ᵀ) · bf16(scale of the row) + bias.
ValueId linearWeightOnlyInt8(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                             const DeviceDescription&, std::vector<Note>&)
{
    const DType before = b.type(parts.x).dtype;
    const DType multiplied = productTypeOf(scheme);
    const ValueId x = b.cast(parts.x, multiplied);
    const ValueId wide = b.matrixTranspose(b.cast(parts.stored[0], multiplied));
    const ValueId product = b.call1("aten::mm", {{"self", ValueRef{x}}, {"mat2", ValueRef{wide}}});
    const ValueId scale = b.cast(parts.stored[1], multiplied);
    const ValueId scaled = b.binary("mul", product, b.flatten(scale, 0, 1));
    // What the bias was added to is rounded once more, as in torchao.
    const ValueId y = addBias(b, b.cast(scaled, before), parts.bias);
    return b.cast(b.cast(y, multiplied), before);
}

// y = conv(x, bf16(codes) · bf16(scale of the output channel)) + bias.
ValueId convolveWeightOnly(const Scheme& scheme, GraphBuilder& b, const ConvolutionParts& parts,
                           const DeviceDescription&, std::vector<Note>&)
{
    const DType before = b.type(parts.x).dtype;
    const ValueId codes = b.cast(parts.stored[0], before);
    const ValueId wide = b.binary("mul", codes, b.cast(parts.stored[1], before));
    return convolve(scheme, b, parts, b.view(wide, parts.weightShape));
}

Parameter ruleParameter()
{
    return {.name = "rule",
            .description = "Activations per token by absmax / 127.5 (full) or absmax / 127 with a "
                           "floor, leaving layers of up to 16 inputs alone (reduced), or the whole "
                           "tensor with a zero point, and the weight with one scale (tensor)",
            .fallback = std::string("full"),
            .choices = {std::string("full"), std::string("reduced"), std::string("tensor")}};
}

}  // namespace

std::vector<SchemeSpec> int8Schemes()
{
    return {
        {.name = "int8dq",
         .description = "8-bit integer weights with a scale per output row; activations "
                        "quantized per token in every pass and multiplied as integers (W8A8); "
                        "for speed at large batches, without calibration",
         .parameters = {ruleParameter(), roundingParameter("reciprocal"), restParameter()},
         .outside = "bf16",
         .activationRule = activationRule,
         .peak = PeakClass::Bits8,
         .tone = 1,
         .stored = storedDynamic,
         .alignment = dynamicAlignment,
         .quantizeWeight = quantizeWeightDynamic,
         .restoreWeight = scaledCodes,
         .linear = linearDynamicInt8,
         .product = int8ProductOf},
        {.name = "int8wo",
         .description = "8-bit integer weights with a scale per output row; products with "
                        "bfloat16 activations, for which eager widens the weights in every pass; "
                        "for half the memory of weights at almost no loss, and speed at small "
                        "batches where a compiled mode widens them on the way",
         .parameters = {roundingParameter("reciprocal"), restParameter()},
         .outside = "bf16",
         .tone = 4,
         .stored = storedInt8,
         .quantizeWeight = quantizeRowsInt8,
         .restoreWeight = scaledCodes,
         .linear = linearWeightOnlyInt8,
         .convolution = convolveWeightOnly,
         .product =
             [](const Scheme& scheme, const DeviceDescription&) {
                 return Product{"aten::mm", productTypeOf(scheme)};
             }},
    };
}

}  // namespace qs::core
