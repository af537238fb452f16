#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace qs::core {

// How much of a text a model wrote as its reference did. The prompt is not counted: it is equal by
// construction and would make every model look alike.
struct TokenAgreement {
    std::size_t generated = 0;  // tokens after the prompt, of the longer text
    std::size_t matched = 0;    // at equal places
    // Place of the first token that differs, counted from the end of the prompt; empty if none
    // does. What comes after it was written in answer to another text.
    std::optional<std::size_t> firstDivergence;

    [[nodiscard]] double matchedFraction() const
    {
        return static_cast<double>(matched) / static_cast<double>(generated);
    }
};

// Texts may end at different lengths (a model stops when it wants): where one has ended, the other
// differs. Errors: a prompt that is longer than a text or not the same in both, nothing after it.
[[nodiscard]] Result<TokenAgreement> tokenAgreement(std::span<const std::int64_t> tokens,
                                                    std::span<const std::int64_t> reference,
                                                    std::size_t promptLength);

}  // namespace qs::core
