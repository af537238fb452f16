#include "core/model/te_llama/fused_variant.h"

#include <algorithm>

namespace qs::core::te_llama {

namespace {

constexpr std::string_view kExact = "_exact";
constexpr std::string_view kBlocks = "_blocks";

bool takeEnd(std::string_view& text, std::string_view end)
{
    const bool found = text.ends_with(end);
    text.remove_suffix(found ? end.size() : 0);
    return found;
}

// Of the products of one layer.
std::int64_t productWeights(const llama::Config& config)
{
    const std::int64_t width = config.heads * config.headWidth;
    const std::int64_t fused = width + 2 * config.keyHeads * config.headWidth;
    return config.hidden * (fused + width + 3 * config.feedForward);
}

}  // namespace

Status checkFused(const llama::Config& config)
{
    if (config.tied)
        return Error{ErrorCode::InvalidArgument, "its head has weights of its own: leave out tied"};
    if (config.pairs)
        return Error{ErrorCode::InvalidArgument, "RoPE turns neighbours anyway: leave out pairs"};
    if (config.projectionBias)
        return Error{ErrorCode::Unsupported,
                     "a bias of queries, keys and values is not known here"};
    return llama::check(config);
}

Result<Variant> parseVariant(std::string_view text)
{
    Variant variant;
    std::string_view rest = text;
    variant.blocksAlone = takeEnd(rest, kBlocks);
    variant.exact = takeEnd(rest, kExact);
    QS_TRY(variant.config, llama::parseConfig(rest));
    if (const Status possible = checkFused(variant.config); !possible.ok())
        return possible.error().within("\"" + std::string(text.substr(0, 80)) + "\"");
    return variant;
}

std::string toText(const Variant& variant)
{
    return llama::toText(variant.config) + std::string(variant.exact ? kExact : "") +
           std::string(variant.blocksAlone ? kBlocks : "");
}

const std::vector<llama::PublishedModel>& publishedVariants()
{
    static const std::vector<llama::PublishedModel> variants{
        {"tiny", "w128_d2_h4_f256_v512"},      {"mini", "w2048_d4_h16_f4096_v32000_blocks"},
        {"1b", "w2048_d16_h16_f5504_v32000"},  {"3b", "w3072_d26_h24_f8192_v32000"},
        {"8b", "w4096_d32_h32_f11008_v32000"},
    };
    return variants;
}

Result<Variant> namedVariant(std::string_view text)
{
    const auto& variants = publishedVariants();
    const auto found = std::find_if(variants.begin(), variants.end(),
                                    [&](const auto& each) { return each.name == text; });
    return parseVariant(found == variants.end() ? text : found->config);
}

std::int64_t estimatedParameters(const Variant& variant)
{
    const llama::Config& config = variant.config;
    const std::int64_t layer = productWeights(config) + 2 * config.hidden;
    return layer * config.layers +
           (variant.blocksAlone ? 0 : 2 * config.vocabulary * config.hidden);
}

double estimatedAttentionShare(const Variant& variant, std::int64_t sequence)
{
    const llama::Config& config = variant.config;
    // Of one token in one layer: scores and their sum of values, and the products.
    const auto attention = static_cast<double>(4 * config.heads * config.headWidth * sequence);
    return attention / (attention + static_cast<double>(2 * productWeights(config)));
}

}  // namespace qs::core::te_llama
