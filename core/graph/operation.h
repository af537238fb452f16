#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What an operation costs is decided by its class.
enum class OperationClass {
    Linear,       // matrix product with a weight
    Matmul,       // matrix product of two activations, scaled or integer
    Attention,    // scaled dot-product attention
    Elementwise,  // one pass over its inputs
    Reduction,
    View,  // no data is moved: the result aliases its first argument
    Copy,  // moves data without arithmetic (cat, contiguous, casts)
};

// One entry of the catalogue. The catalogue is an allow-list: an operation that is not in it never
// runs, because some ATen operations touch files or the process (aten::from_file creates files).
struct Operation {
    std::string_view name;      // "aten::add"
    std::string_view overload;  // "Tensor"; empty for the default one
    OperationClass operationClass;
    std::string_view mutates;  // name of the argument that is changed in place; empty if none
    bool mayAlias;             // the result may share memory with its first argument

    [[nodiscard]] std::string fullName() const;  // "aten::add.Tensor"
};

[[nodiscard]] const std::vector<Operation>& operationCatalogue();
// Null if the operation is not in the catalogue. Name as in fullName().
[[nodiscard]] const Operation* findOperation(std::string_view fullName);

// Our own operation: a linear layer that carries its scheme. Lowering expands it into ATen
// operations.
inline constexpr std::string_view kQsLinear = "qs::linear";

}  // namespace qs::core
