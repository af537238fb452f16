#include "core/graph/layer_operations.h"
#include "core/quant/calibration.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/float8_rules.h"

#include <string>

// float8 with delayed scaling, as TransformerEngine's forward pass with DelayedScaling: one factor
// for the whole input, 448 / largest magnitude, from the largest magnitudes of the passes before
// (the last one, or the largest of the history; 1 where that is 0); code = e4m3(clamp(x · factor,
// ±448)), and the product is multiplied by 1 / factor. Each pass then puts its own largest
// magnitude in front of the history. All in float32. The history begins as calibration left it.
namespace qs::core {

namespace {

constexpr std::int64_t kDelayedSamples = 16;
constexpr double kLongestHistory = 1024.0;

std::vector<StoredPart> states(const Scheme& scheme)
{
    return {{"history", {DType::Float32, {scheme.whole("history")}}}};
}

std::vector<StoredPart> storedDelayed(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    return {{"codes", {DType::Float8E4M3, {out, in}}},
            {"scale", {DType::Float32, {}}},
            {"history:initial", {DType::Float32, {scheme.whole("history")}}}};
}

// Codes of float32(x) · 448 / largest, and the reciprocal of that factor.
Quantized quantize(GraphBuilder& b, ValueId x, ValueId largest)
{
    // Where nothing was seen yet the factor is 1.
    const ValueId isZero = b.cast(b.equals(largest, 0.0), DType::Float32);
    const ValueId seen = b.binary("add", largest, b.scalar("mul", isZero, kLargestE4M3));
    const ValueId most =
        b.call1("aten::full_like", {{"self", ValueRef{seen}}, {"fill_value", kLargestE4M3}});
    const ValueId factor = b.binary("div", most, seen);
    const ValueId scaled = b.binary("mul", b.cast(x, DType::Float32), factor);
    const ValueId codes = roundToE4M3(b, scaled);
    return {codes, b.unary("reciprocal", factor)};
}

ValueId largestOf(GraphBuilder& b, ValueId x)
{
    return b.cast(b.absoluteMaximum(x, {}), DType::Float32);
}

std::vector<ValueId> quantizeDelayed(const Scheme&, GraphBuilder& b, const WeightParts& parts)
{
    const Quantized quantized = quantize(b, parts.weight, largestOf(b, parts.weight));
    return {quantized.codes, quantized.scale, b.unary("abs", parts.statistic)};
}

ValueId linearDelayed(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                      const DeviceDescription& device, std::vector<Note>& notes)
{
    const ValueId history = parts.states.front();
    const std::int64_t length = scheme.whole("history");
    const ValueId largest =
        scheme.word("amax") == "max" ? b.maximum(history, {}) : b.select(history, 0, 0);
    const DType before = b.type(parts.x).dtype;
    const Quantized x = quantize(b, parts.x, largest);
    // After the factor is computed: what it is made from may be a view of the history.
    const ValueId latest = b.unsqueeze(largestOf(b, parts.x), 0);
    const ValueId moved =
        length == 1 ? latest : b.concatenate({latest, b.slice(history, 0, 0, length - 1)}, 0);
    copyInPlace(b, history, moved);
    return float8Product(b, x, parts.stored[0], parts.stored[1], parts.bias, before, device, notes);
}

std::vector<Parameter> delayedParameters()
{
    std::vector<Parameter> all{
        {.name = "history",
         .description = "Largest magnitudes of so many passes are kept",
         .fallback = std::int64_t{16},
         .lowest = 1.0,
         .highest = kLongestHistory},
        {.name = "amax",
         .description = "The scale follows the most recent of them, or the largest",
         .fallback = std::string("max"),
         .choices = {std::string("recent"), std::string("max")}}};
    for (const Parameter& each : calibrationParameters(kDelayedSamples))
        all.push_back(each);
    all.push_back(restParameter());
    return all;
}

}  // namespace

std::vector<SchemeSpec> delayedFloat8Schemes()
{
    return {{.name = "float8-delayed",
             .description = "8-bit float weights (e4m3) with one scale, and a history of largest "
                            "inputs per layer; activations scaled by what earlier passes saw "
                            "(delayed scaling) and multiplied in float8; for comparing with "
                            "TransformerEngine, on inputs whose range is steady",
             .parameters = delayedParameters(),
             .outside = "bf16",
             .activationRule =
                 [](const Scheme&) {
                     return std::string("absmax of earlier passes / 448, quantized values "
                                        "-448 … 448");
                 },
             .needs = float8Needs(),
             .peak = PeakClass::Bits8,
             .tone = 14,
             .stored = storedDelayed,
             .states = states,
             .alignment = float8Alignment,
             .statistic = Statistic::RecentMaxima,
             .quantizeWeight = quantizeDelayed,
             .restoreWeight = scaledCodes,
             .linear = linearDelayed,
             .product = float8ProductOf}};
}

}  // namespace qs::core
