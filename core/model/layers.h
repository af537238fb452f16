#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

enum class LayerKind { Linear, Convolution };

// A node that multiplies by a weight. An embedding, which looks rows up, is none.
struct LayerSpec {
    std::string module;
    std::string weight;  // name of the weight
    std::string bias;    // empty: none
    LayerKind kind = LayerKind::Linear;
    // [out, in] or [out, in / groups, kernel …]
    std::vector<std::int64_t> weightShape;
    std::int64_t outFeatures = 0;
    std::int64_t inFeatures = 0;  // that one output is made of, the kernel included
    std::int64_t calls = 0;       // in one run of the stage
    // Another operation reads the weight as well: an embedding that is tied to the head.
    bool readElsewhere = false;
};

// In the order of their first calls, one for each weight. The graph is one of ATen operations.
[[nodiscard]] std::vector<LayerSpec> findLayers(const Graph& graph);

}  // namespace qs::core
