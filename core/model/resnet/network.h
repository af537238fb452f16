#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/model/model.h"

#include <array>
#include <cstdint>
#include <vector>

namespace qs::core::resnet {

// The shape of one ResNet of basic blocks, as torchvision has it. ResNet-18 has two blocks in each
// of its four layers.
struct Variant {
    std::array<std::int64_t, 4> blocks{2, 2, 2, 2};
    std::int64_t width = 64;  // channels of the first layer; they double from layer to layer
    std::int64_t classes = 1000;

    bool operator==(const Variant&) const = default;
    [[nodiscard]] std::int64_t blockCount() const;
};

// All weights under torchvision's names, statistics of the batch norms as buffers.
[[nodiscard]] std::vector<WeightSpec> weightsOf(const Variant& variant);

// image [B, 3, H, W], normalised -> logits [B, classes].
[[nodiscard]] Result<Graph> buildNetwork(const Variant& variant, std::int64_t batch,
                                         std::int64_t side, DType compute);

}  // namespace qs::core::resnet
