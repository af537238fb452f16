#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

class CallReader;

// What an operation costs is decided by its class.
enum class OperationClass {
    Linear,       // matrix product with a weight
    Convolution,  // with a weight
    Matmul,       // matrix product of two activations, scaled or integer
    Attention,    // scaled dot-product attention
    Elementwise,  // one pass over its inputs
    Reduction,
    View,     // no data is moved: the result aliases an argument
    Copy,     // moves data without arithmetic (cat, contiguous, casts), or makes it (full)
    Gather,   // reads those elements of a table that indices name
    Scatter,  // writes those elements of a tensor that indices name
};

// The type rule of an operation: reads the arguments of a call and gives the types of its results.
using TypeRule = void (*)(CallReader&);

// One entry of the catalogue. The catalogue is an allow-list: an operation that is not in it never
// runs, because some ATen operations touch files or the process (aten::from_file creates files).
// Names of arguments and what is mutated or aliased are those of PyTorch's schemas
// (tests/golden/operations).
struct Operation {
    std::string_view name;      // "aten::add"
    std::string_view overload;  // "Tensor"; empty for the default one
    OperationClass operationClass;
    std::string_view mutates;  // name of the argument that is changed in place; empty if none
    // Name of the argument whose memory the results may share; empty if none.
    std::string_view aliases;
    TypeRule types;
    // One list of tensors is returned, as by aten::chunk; else each result is one of its own.
    bool returnsList = false;

    [[nodiscard]] std::string fullName() const;  // "aten::add.Tensor"
};

[[nodiscard]] const std::vector<Operation>& operationCatalogue();
// Null if the operation is not in the catalogue. Name as in fullName().
[[nodiscard]] const Operation* findOperation(std::string_view fullName);
[[nodiscard]] bool isInCatalogue(const Operation* operation);

// Whether it is counted in FLOPs and as evidence: products of every kind.
[[nodiscard]] bool multiplies(const Operation& operation);

// Whether it adds products of whole numbers in 32 bits, whatever type it hands on.
[[nodiscard]] bool sumsIntegers(const Operation& operation);

// A convolution of oneDNN on the CPU and what lays out its weight, once. Written where a stage runs
// operation by operation, and nowhere else: see core/lower/eager_stage.h.
inline constexpr std::string_view kInt8Convolution = "onednn::qconv_pointwise";
inline constexpr std::string_view kInt8Layout = "onednn::qconv_prepack";

// Our own operations: layers that carry their scheme. Runners expand them into ATen operations.
inline constexpr std::string_view kQsLinear = "qs::linear";
inline constexpr std::string_view kQsConv = "qs::conv2d";
// Operations that were taken out of a graph: "inputs", a list, and any number of results. Who took
// them out runs them (core/lower/region_stage.h).
inline constexpr std::string_view kQsRegion = "qs::region";

}  // namespace qs::core
