#include "core/lower/compositions.h"

#include <algorithm>

namespace qs::core {

namespace {

// C++ leaves the order of arguments open: at most one argument of a call may write operations, so
// that every compiler gives the same program.

constexpr double kInt8Divisor = 127.5;
constexpr double kFloat32Epsilon = 1.1920928955078125e-07;
constexpr double kLargestE4M3 = 448.0;

struct Quantized {
    ValueId codes;
    ValueId scale;
};

// `dimensions` are reduced to one scale; empty for one scale of the whole tensor.
Quantized quantizeInt8(GraphBuilder& b, ValueId x, const std::vector<std::int64_t>& dimensions)
{
    const ValueId ratio = b.scalar("div", b.absoluteMaximum(x, dimensions), kInt8Divisor);
    const ValueId scale = b.cast(b.clampMin(ratio, kFloat32Epsilon), DType::Float32);
    const ValueId scaled = b.binary("mul", x, b.unary("reciprocal", scale));
    return {b.cast(b.clamp(b.unary("round", scaled), -128.0, 127.0), DType::Int8), scale};
}

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

Quantized quantizeWeight(GraphBuilder& b, Scheme scheme, ValueId weight)
{
    switch (scheme) {
    case Scheme::Int8Dq:
    case Scheme::Int8Wo:
        return quantizeInt8(b, weight, {-1});
    case Scheme::Float8DqTensor:
        return quantizeFloat8(b, weight, {});
    default:
        return quantizeFloat8(b, weight, {-1});
    }
}

ValueId addBias(GraphBuilder& b, ValueId y, ValueId bias)
{
    return bias < 0 ? y : b.binary("add", y, bias);
}

struct LinearParts {
    ValueId x;  // [M, in]
    ValueId codes;
    ValueId scale;
    ValueId bias;
};

ValueId linearInt8Dynamic(GraphBuilder& b, const LinearParts& parts,
                          const CompositionTarget& target, std::vector<std::string>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const Quantized x = quantizeInt8(b, parts.x, {-1});
    const std::int64_t rows = b.shape(parts.x)[0];
    ValueId codes = x.codes;
    if (rows < target.leastIntegerRows) {
        codes = b.padRows(codes, target.leastIntegerRows - rows);
        notes.push_back("int8 products padded from " + std::to_string(rows) + " to " +
                        std::to_string(target.leastIntegerRows) + " rows");
    }
    ValueId product = b.integerMatmul(codes, b.matrixTranspose(parts.codes));
    if (rows < target.leastIntegerRows)
        product = b.slice(product, 0, 0, rows);
    const ValueId perToken = b.cast(b.binary("mul", product, x.scale), before);
    const ValueId perRow = b.binary("mul", perToken, b.flatten(parts.scale, 0, 1));
    return b.cast(addBias(b, perRow, parts.bias), before);
}

ValueId linearInt8Weights(GraphBuilder& b, const LinearParts& parts)
{
    const DType before = b.type(parts.x).dtype;
    const ValueId wide = b.cast(b.matrixTranspose(parts.codes), before);
    const std::vector<std::int64_t> shape{b.shape(parts.x)[0], b.shape(wide)[1]};
    const ValueId product =
        b.call("aten::mm", {{"self", ValueRef{parts.x}}, {"mat2", ValueRef{wide}}},
               {{before, shape}})
            .front();
    const ValueId scaled = b.binary("mul", product, b.flatten(b.cast(parts.scale, before), 0, 1));
    return addBias(b, scaled, parts.bias);
}

ValueId linearFloat8Dynamic(GraphBuilder& b, const LinearParts& parts, bool perRow,
                            const CompositionTarget& target, std::vector<std::string>& notes)
{
    const DType before = b.type(parts.x).dtype;
    const Quantized x = quantizeFloat8(
        b, parts.x, perRow ? std::vector<std::int64_t>{-1} : std::vector<std::int64_t>{});
    const ValueId weightScale = perRow ? b.matrixTranspose(parts.scale) : parts.scale;
    if (target.scaledMatmul) {
        const ValueId rowScale = perRow ? b.contiguous(weightScale) : weightScale;
        return b.scaledMatmul(x.codes, b.matrixTranspose(parts.codes), x.scale, rowScale,
                              parts.bias, before, true);
    }
    notes.emplace_back(
        "float8 products computed in float32 from the codes (reference path: same numerics, no "
        "speed)");
    const ValueId wideX = b.cast(x.codes, DType::Float32);
    const ValueId product = b.linear(wideX, b.cast(parts.codes, DType::Float32));
    const ValueId scaled = b.binary("mul", b.binary("mul", product, x.scale), weightScale);
    return b.cast(addBias(b, scaled, parts.bias), before);
}

ValueId linearFloat8Weights(GraphBuilder& b, const LinearParts& parts)
{
    const ValueId wide = b.binary("mul", b.cast(parts.codes, DType::Float32), parts.scale);
    // The product is rounded before the bias comes, as in torchao.
    return addBias(b, b.linear(parts.x, b.cast(wide, b.type(parts.x).dtype)), parts.bias);
}

ValueId linearAutocast(GraphBuilder& b, ValueId x, ValueId weight, ValueId bias)
{
    const ValueId narrowX = b.cast(x, DType::BFloat16);
    const ValueId narrowWeight = b.cast(weight, DType::BFloat16);
    const ValueId narrowBias = bias < 0 ? -1 : b.cast(bias, DType::BFloat16);
    return b.cast(b.linear(narrowX, narrowWeight, narrowBias), b.type(x).dtype);
}

}  // namespace

std::string codesName(const std::string& weight)
{
    return weight + ":codes";
}

std::string scaleName(const std::string& weight)
{
    return weight + ":scale";
}

std::vector<TensorType> storedTypes(Scheme scheme, std::int64_t out, std::int64_t in)
{
    const bool int8 = scheme == Scheme::Int8Dq || scheme == Scheme::Int8Wo;
    const TensorType codes{int8 ? DType::Int8 : DType::Float8E4M3, {out, in}};
    if (scheme == Scheme::Float8DqTensor)
        return {codes, {DType::Float32, {}}};
    return {codes, {DType::Float32, {out, 1}}};
}

void composeWeight(GraphBuilder& builder, Scheme scheme, const std::string& weight, ValueId value)
{
    const Quantized result = quantizeWeight(builder, scheme, value);
    builder.output(result.codes, codesName(weight));
    builder.output(result.scale, scaleName(weight));
}

ValueId composeLinear(GraphBuilder& builder, Scheme scheme, ValueId x, const std::string& weight,
                      const TensorType& weightType, ValueId bias, const CompositionTarget& target,
                      std::vector<std::string>& notes)
{
    if (scheme == Scheme::Bf16Autocast)
        return linearAutocast(builder, x, builder.weight(weight, weightType), bias);
    QS_ASSERT(quantizesWeights(scheme));
    std::vector<std::int64_t> result = builder.shape(x);
    const std::int64_t in = result.back();
    result.back() = weightType.shape[0];
    const auto stored = storedTypes(scheme, weightType.shape[0], weightType.shape[1]);
    const LinearParts parts{
        builder.reshape(x, {builder.type(x).elementCount() / in, in}),
        builder.weight(codesName(weight), stored[0]),
        builder.weight(scaleName(weight), stored[1]),
        bias,
    };
    ValueId y = -1;
    switch (scheme) {
    case Scheme::Int8Dq:
        y = linearInt8Dynamic(builder, parts, target, notes);
        break;
    case Scheme::Int8Wo:
        y = linearInt8Weights(builder, parts);
        break;
    case Scheme::Float8Wo:
        y = linearFloat8Weights(builder, parts);
        break;
    default:
        y = linearFloat8Dynamic(builder, parts, scheme == Scheme::Float8DqRow, target, notes);
        break;
    }
    return builder.view(y, result);
}

}  // namespace qs::core
