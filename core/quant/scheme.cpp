#include "core/quant/scheme.h"

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

struct Row {
    Scheme scheme;
    std::string_view name;
    std::string_view description;
    bool quantizesWeights;
};

constexpr std::array<Row, 10> kTable{{
    {Scheme::Fp32, "fp32", "32-bit floats throughout; the golden reference", false},
    {Scheme::Tf32, "tf32",
     "32-bit floats stored, matrix products in TF32 on NVIDIA GPUs since Ampere", false},
    {Scheme::Fp16, "fp16", "16-bit IEEE floats throughout", false},
    {Scheme::Bf16, "bf16", "bfloat16 throughout; the quality reference", false},
    {Scheme::Bf16Autocast, "bf16-autocast",
     "32-bit weights, cast to bfloat16 at each matched linear and at attention in every pass",
     false},
    {Scheme::Int8Dq, "int8dq",
     "8-bit integer weights per output row, activations quantized per token on the fly (W8A8)",
     true},
    {Scheme::Int8Wo, "int8wo", "8-bit integer weights per output row, bfloat16 activations", true},
    {Scheme::Float8DqTensor, "float8dq-tensor",
     "e4m3 weights and activations with one scale each, activations quantized on the fly", true},
    {Scheme::Float8DqRow, "float8dq-row",
     "e4m3 weights per output row, activations quantized per token on the fly", true},
    {Scheme::Float8Wo, "float8wo", "e4m3 weights per output row, bfloat16 activations", true},
}};

const Row& row(Scheme scheme)
{
    const Row& found = kTable[static_cast<std::size_t>(scheme)];
    QS_ASSERT(found.scheme == scheme);
    return found;
}

} // namespace

const std::vector<Scheme>& allSchemes()
{
    static const std::vector<Scheme> schemes = [] {
        std::vector<Scheme> all;
        for (const Row& each : kTable)
            all.push_back(each.scheme);
        return all;
    }();
    return schemes;
}

std::string_view name(Scheme scheme)
{
    return row(scheme).name;
}

std::string_view describe(Scheme scheme)
{
    return row(scheme).description;
}

Result<Scheme> parseScheme(std::string_view name)
{
    const auto found = std::find_if(kTable.begin(), kTable.end(),
                                    [&](const Row& each) { return each.name == name; });
    if (found != kTable.end())
        return found->scheme;
    std::string known;
    for (const Row& each : kTable)
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    return Error{ErrorCode::InvalidArgument,
                 "\"" + std::string(name) + "\" is no precision scheme; known are " + known};
}

bool quantizesWeights(Scheme scheme)
{
    return row(scheme).quantizesWeights;
}

} // namespace qs::core
