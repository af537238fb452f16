#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// What one operation costs at the least, from its shapes alone.
struct Cost {
    // Floating-point (or integer) operations of matrix products and attention, a multiply-add
    // counted as two. Element-wise work is left out, as in the published FLOP tables: it is bound
    // by bytes, not by arithmetic.
    double matmulFlops = 0.0;
    double attentionFlops = 0.0;
    // Weights read, also through views of them; of a table that is looked up the rows alone.
    double weightBytes = 0.0;
    double activationBytes = 0.0;  // inputs read and outputs written, each once; nothing for views
    std::int64_t parameters = 0;

    [[nodiscard]] double flops() const { return matmulFlops + attentionFlops; }
    Cost& operator+=(const Cost& other);
};

[[nodiscard]] Cost costOf(const Graph& graph, const Node& node);
// A weight that several operations read is counted once.
[[nodiscard]] Cost costOf(const Graph& graph);

// The cost of one module (all operations with that module path), in order of first appearance.
struct LayerCost {
    std::string module;
    Cost cost;
};
[[nodiscard]] std::vector<LayerCost> costPerModule(const Graph& graph);

}  // namespace qs::core
