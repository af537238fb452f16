#include "tests/extension/toy_scheme.h"

#include "core/lower/compile_mode.h"
#include "core/quant/scheme.h"

#include <string>

namespace qs::tests {

namespace {

using core::DType;
using core::GraphBuilder;
using core::LayerParts;
using core::Scheme;
using core::ValueId;

std::vector<core::StoredPart> stored(const Scheme&, std::int64_t out, std::int64_t in)
{
    return {{"steps", {DType::Int8, {out, in}}}};
}

std::vector<ValueId> quantizeWeight(const Scheme& scheme, GraphBuilder& b,
                                    const core::WeightParts& parts)
{
    const auto steps = static_cast<double>(scheme.whole("steps"));
    const ValueId rounded = b.unary("round", b.scalar("mul", parts.weight, steps));
    return {b.cast(b.clamp(rounded, -127.0, 127.0), DType::Int8)};
}

ValueId linear(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
               const core::DeviceDescription&, std::vector<core::Note>&)
{
    const auto steps = static_cast<double>(scheme.whole("steps"));
    const ValueId codes = b.cast(parts.stored[0], b.type(parts.x).dtype);
    const bool keepsBias = scheme.word("keep_bias") == "yes";
    return b.linear(parts.x, b.scalar("div", codes, steps), keepsBias ? parts.bias : -1);
}

}  // namespace

void registerToyScheme()
{
    core::Parameter steps{.name = "steps",
                          .description = "Steps of a weight between 0 and 1",
                          .fallback = std::int64_t{16},
                          .lowest = 2.0,
                          .highest = 64.0,
                          .inName = true};
    core::Parameter bias{.name = "keep_bias",
                         .description = "Whether the layer has its bias",
                         .fallback = std::string("yes"),
                         .choices = {std::string("yes"), std::string("no")}};
    core::schemeRegistry().add({.name = "toy",
                                .description = "Weights on a grid, for tests",
                                .parameters = {steps, bias},
                                .outside = "bf16",
                                .tone = 11,
                                .stored = stored,
                                .quantizeWeight = quantizeWeight,
                                .linear = linear});
}

void registerToyCompileMode()
{
    core::Parameter times{.name = "times",
                          .description = "Passes in a row",
                          .fallback = std::int64_t{2},
                          .lowest = 1.0,
                          .highest = 9.0};
    core::compileModeRegistry().add({.name = "twice",
                                     .description = "The eager pass more than once, for tests",
                                     .parameters = {times},
                                     .sameMathematics = true,
                                     .tone = 4});
}

}  // namespace qs::tests
