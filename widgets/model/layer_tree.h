#pragma once

#include "core/graph/regions.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace qs::widgets {

// A stage, a block, or a module of a model, with what it costs and what a recipe does to it. Sums
// of the children where there are some.
struct LayerNode {
    std::string stage;  // "decoder"
    std::string name;   // "decoder", "decoder_blocks.3", "ffn.fc1"
    std::string path;   // "decoder_blocks.3.ffn.fc1"; empty for a stage
    std::int64_t parameters = 0;
    double flops = 0.0;                                  // of one pass
    std::int64_t bytesBefore = 0;                        // of the weights in the working type
    std::int64_t bytesAfter = 0;                         // under the recipe
    std::optional<core::LayerRole> role = std::nullopt;  // of a linear layer
    std::vector<std::int64_t> shape;                     // of its weight
    int linearLayers = 0;
    int matchedLayers = 0;
    std::string scheme;  // what a linear layer runs in; of a stage or block the scheme asked for
    std::string reason;  // why a linear layer is skipped
    // What operations of the module itself belong to; of a block, that it is one.
    std::set<core::RegionKind> regions;
    std::vector<LayerNode> children;

    [[nodiscard]] bool isLinear() const { return linearLayers == 1 && children.empty(); }
};

struct LayerTree {
    std::vector<LayerNode> stages;
    std::string problem;  // why there is no tree, or no FLOPs in it
};

// Modules in order of execution, below the blocks that they belong to. Makes the graphs of the
// stages: milliseconds, up to a tenth of a second for the largest models. A shape that cannot be
// built leaves the FLOPs at zero and says why.
[[nodiscard]] LayerTree makeLayerTree(const core::ModelFamily& family, const core::Recipe& recipe,
                                      const core::ShapePoint& shape);

}  // namespace qs::widgets
