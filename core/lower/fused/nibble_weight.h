#pragma once

#include "core/lower/fused/code_chain.h"
#include "core/lower/fused/kernel_text.h"

#include <optional>
#include <string>

namespace qs::core {

inline constexpr int kNibblesAtOnce = 32;  // 16 bytes

// Note [Pairs of nibbles]
// Codes of four bits, two to a byte, become numbers of 16 bits two at once: a mask puts a code, and
// the one four columns further, under the exponent of a power of two, which a sum takes away again.
// Numbers of 16 bits are multiplied and added two at once as well, rounded as PyTorch rounds them:
// a sum or product of two has no more digits than a float, so that it is rounded once there, too.

// C text: takes eight neighbours of the first operand apart into the pairs that such codes make.
[[nodiscard]] std::string nibbleOrder();

// The text of a WeightReader for weights of such codes, with operands that are the same for all
// neighbours that are read at once; nothing for others.
[[nodiscard]] std::optional<std::string> nibbleText(const KernelFrame& frame,
                                                    const CodeChain& chain, ProductType type);

}  // namespace qs::core
