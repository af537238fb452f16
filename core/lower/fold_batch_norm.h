#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace qs::core {

// A batch norm behind a convolution, taken into the convolution's weight and bias, for schemes that
// store integers: y = conv(x, W · f) + β + (b - μ) · f, with f = γ / sqrt(σ² + ε) of each output
// channel, in float32.
struct Folding {
    std::string weight;  // of the convolution: becomes the first output
    // Of the batch norm: becomes the second output, which the convolution adds; so every weight
    // keeps its name and its size.
    std::string bias;
    Graph graph;  // reads these and the other weights of both
};

struct FoldedGraph {
    Graph graph;
    std::vector<Folding> foldings;
};

// Folds what follows the convolutions whose scheme asks for it. A batch norm stays where its
// weights or the convolution's result are read elsewhere as well.
[[nodiscard]] Result<FoldedGraph> foldBatchNorms(const Graph& graph);

}  // namespace qs::core
