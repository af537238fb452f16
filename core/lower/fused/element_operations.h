#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// An argument that is a number; nothing if it is none, or not given.
[[nodiscard]] std::optional<double> numberOf(const Node& node, std::string_view argument);

// Whether it gives the same numbers in another type, rounded to it.
[[nodiscard]] bool isCast(const Node& node);

// What a kernel holds a value in: float for every floating type (its values are floats), int for
// the small whole numbers and truth values, long long for int64.
[[nodiscard]] std::string_view heldType(DType type);
// Whether kernels read and write the type.
[[nodiscard]] bool isHeld(DType type);
// Whether a value of the type is a code: a byte that stands for a number.
[[nodiscard]] bool isCode(DType type);
// Rounded as a tensor of the type keeps it. `whole`: the expression is of whole numbers.
[[nodiscard]] std::string rounded(const std::string& expression, bool whole, DType type);
// What `rounded` has rounded to a narrow type; nothing where it left it as it was.
[[nodiscard]] std::optional<std::string> beforeRounding(const std::string& text, DType type);
// A number in C, exactly, as the float next to it.
[[nodiscard]] std::string literal(double number);

// How PyTorch divides by a number: on CUDA it multiplies by the reciprocal of it.
enum class Division { Exact, ByReciprocal };

// Element by element what an operation of the catalogue computes from the values of its operands,
// as PyTorch's kernels do in one step; nothing for operations that have no such expression or where
// arguments ask for more. Operands in the order of the arguments that are tensors.
[[nodiscard]] std::optional<std::string> elementExpression(const Graph& graph, const Node& node,
                                                           const std::vector<std::string>& operands,
                                                           Division division);
[[nodiscard]] bool isElementwise(const Graph& graph, const Node& node);

}  // namespace qs::core
