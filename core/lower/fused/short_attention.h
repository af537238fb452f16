#pragma once

#include "core/device/description.h"
#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"
#include "core/lower/fused/kernel_shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace qs::core {

// A tensor {batch, heads, tokens, width} that attention reads: somewhere in an input of the group.
struct AttentionOperand {
    std::size_t input = 0;
    std::int64_t offset = 0;  // elements, of its first
    std::int64_t tokens = 0;
    // Elements from one to the next.
    std::int64_t tokenPitch = 0;
    std::int64_t headPitch = 0;
    std::int64_t batchPitch = 0;
};

// Attention over so few keys that a block has all of them at once: softmax(scale · q · kᵀ) · v.
struct ShortAttention {
    std::size_t node = 0;
    DType type = DType::BFloat16;
    std::int64_t batch = 0;
    std::int64_t heads = 0;
    std::int64_t width = 0;  // of a head
    double scale = 1.0;
    bool causal = false;  // each query sees keys up to its own place
    AttentionOperand q;
    AttentionOperand k;
    AttentionOperand v;
};

// Whether an operation is attention that a kernel of ours computes, whichever way its operands lie.
[[nodiscard]] bool isShortAttention(const Graph& graph, const Node& node);

// The one attention of a group; nothing where its operands lie in a way that the kernel cannot
// read.
[[nodiscard]] std::optional<ShortAttention> shortAttention(const Graph& group,
                                                           const InputStrides& strides);

// Each such attention of a stage as a group of its own, where the device has the units for it; on
// a CPU too.
[[nodiscard]] std::vector<NodeGroup> attentionGroups(const GraphUses& uses, const NodeOrder& order,
                                                     const DeviceDescription& device);

}  // namespace qs::core
