#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace qs::core::exported {

// A number of a program while its graph is made: what Python computes beside the tensors.
using Number = std::variant<bool, std::int64_t, double>;

// "_operator.mul", "torch.sym_max", "math.floor" …: arithmetic as Python's. False for others.
[[nodiscard]] bool isNumberOperation(std::string_view target);
[[nodiscard]] Result<Number> computeNumber(std::string_view target,
                                           const std::vector<Number>& operands);

[[nodiscard]] double realOf(const Number& number);
// An error for fractions.
[[nodiscard]] Result<std::int64_t> wholeOf(const Number& number);
[[nodiscard]] bool isTrue(const Number& number);

}  // namespace qs::core::exported
