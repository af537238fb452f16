#pragma once

#include "core/lower/program.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// What runs a stage before its layers have their schemes, and a layer of it alone: for calibration.

// The graph with ATen's operations at the layers that carry a scheme, node by node the same.
[[nodiscard]] Graph withoutSchemes(Graph graph);

// A node that carries a scheme.
struct MarkedLayer {
    std::size_t node = 0;  // its index
    std::string weight;    // the name
    ValueId input = -1;
    Scheme scheme;
};
// In order of execution; a weight that is multiplied twice is there twice.
[[nodiscard]] std::vector<MarkedLayer> markedLayers(const Graph& graph);

// The layer of that node as a stage: inputs "x" and, where the bias is computed, "bias"; output
// "y".
[[nodiscard]] Result<StageProgram> layerAlone(const StageProgram& stage, std::size_t node);

}  // namespace qs::core
