#include "core/quant/rest_of_model.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr const char* kRest = "rest";
constexpr const char* kAutocast = "autocast";
constexpr const char* kSingle = "fp32";
constexpr const char* kHalf = "fp16";

// Empty: as the row of the scheme says.
std::string restOf(const Scheme& scheme)
{
    const auto& all = scheme->parameters;
    const bool chooses = std::any_of(all.begin(), all.end(),
                                     [](const Parameter& each) { return each.name == kRest; });
    return chooses ? scheme.word(kRest) : std::string();
}

}  // namespace

Parameter restParameter()
{
    return {.name = kRest,
            .description = "Type of the rest of the model: bf16, fp16, fp32, or autocast: 32-bit "
                           "weights, layers that are not quantized and attention in bfloat16",
            .fallback = std::string("bf16"),
            .choices = {std::string("bf16"), std::string(kHalf), std::string(kSingle),
                        std::string(kAutocast)}};
}

DType workingTypeOf(const Scheme& scheme)
{
    const std::string rest = restOf(scheme);
    if (rest == kAutocast || rest == kSingle)
        return DType::Float32;
    return rest == kHalf ? DType::Float16 : scheme->workingType;
}

std::optional<DType> attentionTypeOf(const Scheme& scheme)
{
    return restOf(scheme) == kAutocast ? DType::BFloat16 : scheme->attentionType;
}

DType productTypeOf(const Scheme& scheme)
{
    return attentionTypeOf(scheme).value_or(workingTypeOf(scheme));
}

std::string nameOutside(const Scheme& scheme)
{
    const std::string rest = restOf(scheme);
    if (rest == kAutocast)
        return "bf16-autocast";
    return rest == kHalf || rest == kSingle ? rest : scheme->outside;
}

}  // namespace qs::core
