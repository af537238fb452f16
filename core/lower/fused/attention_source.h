#pragma once

#include "core/base/result.h"
#include "core/lower/fused/short_attention.h"

#include <cstdint>
#include <string>

namespace qs::core {

inline constexpr int kAttentionThreads = 128;

// A kernel that computes a short attention; a block has 64 queries of a head.
struct AttentionSource {
    std::string text;  // without the prelude
    std::string name;
    ShortAttention attention;
    int keyRows = 0;    // in the boxes of keys and values
    int queryRows = 0;  // in those of queries
    int sharedBytes = 0;
    std::int64_t blocks = 0;
};

// Its parameters are tensor maps of queries, keys and values, in boxes of 128 bytes of a head and
// so many tokens of it; then the result, dense as {batch, tokens, heads, width}.
[[nodiscard]] AttentionSource attentionSource(const ShortAttention& attention);

}  // namespace qs::core
