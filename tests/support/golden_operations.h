#pragma once

#include "core/graph/builder.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace qs::tests {

// A tensor of tests/golden/operations.
struct GoldenTensor {
    core::TensorType type;
    std::variant<std::vector<float>, std::vector<std::int64_t>> values;  // as floating or not
};

// One call of an operation as PyTorch 2.11 answered it.
struct GoldenCall {
    std::string operation;
    core::Graph graph;                  // of its inputs and this call
    std::vector<GoldenTensor> inputs;   // in the order of graph.inputs
    std::vector<GoldenTensor> results;  // in the order of graph.outputs
};

// What PyTorch's schema says of an operation.
struct GoldenSchema {
    std::string operation;
    std::string mutates;
    std::string aliases;
    bool returnsList = false;
    std::vector<std::string> arguments;
};

[[nodiscard]] std::vector<GoldenSchema> goldenSchemas();
// Each as a graph of its own; one that the builder refuses fails the test.
[[nodiscard]] std::vector<GoldenCall> goldenCalls();

}  // namespace qs::tests
