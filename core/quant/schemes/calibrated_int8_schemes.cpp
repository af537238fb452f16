#include "core/quant/calibration.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/int8_convolution.h"
#include "core/quant/schemes/int8_rules.h"
#include "core/quant/schemes/quantized_weight.h"

#include <string>

// int8 that has to know the inputs of a layer: SmoothQuant and static ranges.
namespace qs::core {

namespace {

constexpr std::int64_t kSamples = 16;
constexpr double kLevels = 255.0;
constexpr double kLowest = -128.0;
constexpr double kHighest = 127.0;

// SmoothQuant: s = (max |x| + ε)^α / (max |w| + ε)^(1 - α) of each input feature, in the working
// type as in torchao; int8dq of x · (1 / s) and w · s.
std::vector<StoredPart> storedSmooth(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    std::vector<StoredPart> parts = codesWithRowScales(DType::Int8, out, in);
    parts.push_back({"smooth", {workingTypeOf(scheme), {in}}});
    return parts;
}

std::vector<ValueId> quantizeSmooth(const Scheme& scheme, GraphBuilder& b, const WeightParts& parts)
{
    const double alpha = scheme.real("alpha");
    const std::int64_t in = b.shape(parts.weight)[1];
    const ValueId ofInputs = b.cast(parts.statistic, workingTypeOf(scheme));
    const ValueId ofWeight = b.view(b.absoluteMaximum(parts.weight, {0}), {in});
    const ValueId raised = b.power(b.scalar("add", ofInputs, kFloat32Epsilon), alpha);
    const ValueId lowered = b.power(b.scalar("add", ofWeight, kFloat32Epsilon), 1.0 - alpha);
    const ValueId factor = b.binary("div", raised, lowered);
    const Quantized quantized =
        quantizeInt8(b, b.binary("mul", parts.weight, factor), {-1}, divides(scheme));
    return {quantized.codes, quantized.scale, b.unary("reciprocal", factor)};
}

ValueId restoreSmooth(const Scheme& scheme, GraphBuilder& b, const std::vector<ValueId>& stored)
{
    const ValueId smoothed = scaledCodes(scheme, b, stored);
    return b.binary("mul", smoothed, b.cast(stored[2], DType::Float32));
}

ValueId linearSmooth(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                     const DeviceDescription& device, std::vector<Note>& notes)
{
    LayerParts smoothed = parts;
    smoothed.x = b.binary("mul", parts.x, parts.stored[2]);
    return int8LinearPerToken(b, smoothed, divides(scheme), device, notes);
}

// Static: scale and zero point of the whole input from its calibrated range, weights per row.
// Symmetric: scale = max(|low|, |high|) / 127.5, no zero point. Affine: scale = range with 0 / 255,
// zero = -128 - round(low / scale). All in float32.
bool isSymmetric(const Scheme& scheme)
{
    return rangeRuleOf(scheme).symmetric;
}

std::vector<StoredPart> storedStatic(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    std::vector<StoredPart> parts = codesWithRowScales(DType::Int8, out, in);
    parts.push_back({"input_scale", {DType::Float32, {}}});
    if (!isSymmetric(scheme))
        parts.push_back({"input_zero", {DType::Float32, {}}});
    return parts;
}

std::vector<ValueId> quantizeStatic(const Scheme& scheme, GraphBuilder& b, const WeightParts& parts)
{
    const Quantized quantized = quantizeInt8(b, parts.weight, {-1}, divides(scheme));
    std::vector<ValueId> stored{quantized.codes, quantized.scale};
    const ValueId range = parts.statistic;
    if (isSymmetric(scheme)) {
        const ValueId ratio = b.scalar("div", b.absoluteMaximum(range, {}), kInt8Divisor);
        stored.push_back(b.clampMin(ratio, kFloat32Epsilon));
        return stored;
    }
    const ValueId least =
        b.scalar("mul", b.unary("relu", b.unary("neg", b.minimum(range, {}))), -1.0);
    const ValueId most = b.unary("relu", b.maximum(range, {}));
    const ValueId ratio = b.scalar("div", b.binary("sub", most, least), kLevels);
    const ValueId scale = b.clampMin(ratio, kFloat32Epsilon);
    const ValueId steps = b.unary("round", b.binary("div", least, scale));
    const ValueId zero = b.scalar("add", b.unary("neg", steps), kLowest);
    stored.push_back(scale);
    stored.push_back(b.clamp(zero, kLowest, kHighest));
    return stored;
}

StaticInput inputOf(const Scheme& scheme, const std::vector<ValueId>& stored)
{
    return {stored[2], isSymmetric(scheme) ? -1 : stored[3], divides(scheme)};
}

// y = (int32 product - zero · sums of the rows) · (scale of x · scale of the row) + bias.
ValueId linearStatic(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                     const DeviceDescription& device, std::vector<Note>& notes)
{
    const StaticInput input = inputOf(scheme, parts.stored);
    const ValueId codes = quantizeStaticInput(b, parts.x, input);
    const ValueId product = alignedInt8Product(b, codes, parts.stored[0], device, notes);
    const ValueId corrected =
        input.zero < 0 ? product : subtractZero(b, product, input.zero, parts.stored[0]);
    return scaleProduct(b, corrected, input.scale, parts.stored[1], parts.bias,
                        b.type(parts.x).dtype);
}

ValueId convolveStatic(const Scheme& scheme, GraphBuilder& b, const ConvolutionParts& parts,
                       const DeviceDescription& device, std::vector<Note>& notes)
{
    return int8Convolution(b, parts, inputOf(scheme, parts.stored), device, notes);
}

std::vector<Parameter> smoothParameters()
{
    std::vector<Parameter> all{{.name = "alpha",
                                .description = "How much of the range of the inputs the weights "
                                               "take over: 0 none, 1 all",
                                .fallback = 0.5,
                                .lowest = 0.0,
                                .highest = 1.0},
                               roundingParameter("reciprocal"),
                               restParameter()};
    for (const Parameter& each : calibrationParameters(kSamples))
        all.push_back(each);
    return all;
}

std::vector<Parameter> staticParameters()
{
    std::vector<Parameter> all = rangeParameters();
    all.push_back(roundingParameter("reciprocal"));
    all.push_back(restParameter());
    for (const Parameter& each : calibrationParameters(kSamples))
        all.push_back(each);
    return all;
}

std::string staticRule(const Scheme& scheme)
{
    return isSymmetric(scheme) ? "calibrated absmax / 127.5 of the tensor, quantized values "
                                 "-128 … 127"
                               : "calibrated range / 255 of the tensor with a zero point, "
                                 "quantized values -128 … 127";
}

}  // namespace

std::vector<SchemeSpec> calibratedInt8Schemes()
{
    return {{.name = "int8sq",
             .description = "8-bit integer weights with a scale per output row, into which "
                            "calibrated factors moved the outliers of the inputs (SmoothQuant); "
                            "products as in int8dq; for models that lose quality under int8dq to "
                            "a few large input features",
             .parameters = smoothParameters(),
             .outside = "bf16",
             .activationRule =
                 [](const Scheme&) {
                     return std::string("smoothed, absmax / 127.5, quantized values -128 … 127");
                 },
             .peak = PeakClass::Bits8,
             .tone = 12,
             .stored = storedSmooth,
             .alignment = int8Alignment,
             .statistic = Statistic::FeatureMaxima,
             .quantizeWeight = quantizeSmooth,
             .restoreWeight = restoreSmooth,
             .linear = linearSmooth,
             .product = int8ProductOf},
            {.name = "int8-static",
             .description = "8-bit integer weights with a scale per output channel, of linear "
                            "layers and convolutions; activations quantized with one calibrated "
                            "range per layer and multiplied as integers; for convolutional "
                            "networks, and where finding ranges in every pass costs too much",
             .parameters = staticParameters(),
             .outside = "bf16",
             .activationRule = staticRule,
             .peak = PeakClass::Bits8,
             .tone = 13,
             .stored = storedStatic,
             .statistic = Statistic::Range,
             .quantizeWeight = quantizeStatic,
             .restoreWeight = scaledCodes,
             .linear = linearStatic,
             .convolution = convolveStatic,
             .foldsBatchNorm = true,
             .product = int8ProductOf,
             .convolutionProduct = int8ConvolutionOf}};
}

}  // namespace qs::core
