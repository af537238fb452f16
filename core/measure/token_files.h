#pragma once

#include <cstdint>
#include <string>

namespace qs::core {

// What a language model read and wrote, beside the output that it is judged on: token ids as whole
// numbers in a .npy, one for each sample of which the output is kept.
enum class TokenFile { Prompt, Generated };

// Longer texts are not kept. As float32, ids are exact up to 2^24.
inline constexpr std::int64_t kMostKeptTokens = std::int64_t{1} << 20U;
inline constexpr std::int64_t kHighestTokenId = (std::int64_t{1} << 24U) - 1;

// "prompt_0.npy", "generated_0.npy"
[[nodiscard]] std::string tokenFileName(TokenFile file, int sample);

}  // namespace qs::core
