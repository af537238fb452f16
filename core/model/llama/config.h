#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core::llama {

// How Llama 3.1 stretches the wave lengths of its rotary embedding.
struct RopeStretch {
    double factor = 8.0;
    double lowFrequencyFactor = 1.0;
    double highFrequencyFactor = 4.0;
    double originalContext = 8192.0;

    bool operator==(const RopeStretch&) const = default;
};

// The architecture of one causal language model in the shape of Llama.
struct Config {
    std::int64_t hidden = 0;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t keyHeads = 0;  // of keys and values; each serves several query heads
    std::int64_t headWidth = 0;
    std::int64_t feedForward = 0;
    std::int64_t vocabulary = 32000;
    std::int64_t context = 2048;  // the most positions
    double epsilon = 1e-5;
    double theta = 10000.0;
    std::optional<RopeStretch> stretch = std::nullopt;
    bool tied = false;            // the head multiplies by the embedding
    bool pairs = false;           // RoPE turns neighbours instead of values half a head apart
    bool projectionBias = false;  // of queries, keys and values, as Qwen2 has it

    bool operator==(const Config&) const = default;
};

// Why it cannot be built, in words, or ok.
[[nodiscard]] Status check(const Config& config);

// "w256_d4_h8_k2_f688_v1024_tied": hidden width, depth, heads, key heads, feed-forward width,
// vocabulary, and where they differ from the usual "x64" (head width), "c4096" (context), "eps",
// "theta", "stretch8x1x4x8192", "tied", "pairs", "bias". `k`, `x`, `v` and what follows may be left
// out.
[[nodiscard]] Result<Config> parseConfig(std::string_view text);
// The same in canonical form: equal texts, equal architecture.
[[nodiscard]] std::string toText(const Config& config);

struct PublishedModel {
    std::string_view name;
    std::string_view config;
};
[[nodiscard]] const std::vector<PublishedModel>& publishedModels();
// Null if it is none.
[[nodiscard]] const PublishedModel* findPublished(std::string_view name);

// Angle of each pair of values for one step of position, in the single precision of the reference
// implementations.
[[nodiscard]] std::vector<double> inverseFrequencies(const Config& config);

}  // namespace qs::core::llama
