#pragma once

#include "core/model/llama/config.h"

#include <string>
#include <string_view>
#include <vector>

// Llama as TransformerEngine's benchmark of selective compilation builds it: one product for
// queries, keys and values, one for gate and value of the feed-forward layer, RoPE of neighbours.
namespace qs::core::te_llama {

struct Variant {
    llama::Config config;
    // The mathematics of Hugging Face's Llama: the rotary table is computed in float32, with sine
    // and cosine in their places, and the last norm has the epsilon of the others. The benchmark
    // computes the table in the working type, so that bfloat16 does not tell positions above 256
    // apart, reads it the wrong way round, and leaves that epsilon to PyTorch.
    bool exact = false;
    // Neither embedding nor head: hidden states in and out.
    bool blocksAlone = false;

    bool operator==(const Variant&) const = default;
};

// "w2048_d16_h16_f5504_v32000", as core/model/llama/config.h has it, then "_exact", "_blocks".
[[nodiscard]] Result<Variant> parseVariant(std::string_view text);
// In canonical form.
[[nodiscard]] std::string toText(const Variant& variant);
// Why it cannot be built, in words, or ok.
[[nodiscard]] Status checkFused(const llama::Config& config);

[[nodiscard]] const std::vector<llama::PublishedModel>& publishedVariants();
// What a reference names behind "te-llama:": a published name, or the text of a variant.
[[nodiscard]] Result<Variant> namedVariant(std::string_view text);

// Parameters as the benchmark estimates them: without the last norm.
[[nodiscard]] std::int64_t estimatedParameters(const Variant& variant);
// Of the FLOPs of its blocks, those of attention over a sequence of so many tokens, whatever the
// batch: as the benchmark counts them, without the causal mask.
[[nodiscard]] double estimatedAttentionShare(const Variant& variant, std::int64_t sequence);

}  // namespace qs::core::te_llama
