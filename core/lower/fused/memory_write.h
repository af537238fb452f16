#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace qs::core {

// Note [Kernels that write where a state stays]
// Keys and values of a decoder, or the largest magnitudes that delayed scales follow, are written
// by the kernel that computes them: a write may be the last of a group, if nothing else in the
// group touches that memory. What it gives is the memory itself, as in PyTorch; the order of all
// that touches it is the one of the graph (NodeOrder).

// `source` goes into `into`, along an axis to the places that `index` has.
struct MemoryWrite {
    ValueId into = -1;
    ValueId source = -1;
    ValueId index = -1;  // -1: everything is written over
    std::size_t axis = 0;
};

// Nothing for other operations, and for writes that change the type or repeat elements.
[[nodiscard]] std::optional<MemoryWrite> memoryWrite(const Graph& graph, const Node& node);

// The one that gives an output of a group; nothing where the output has memory of its own.
[[nodiscard]] std::optional<MemoryWrite> writeOf(const Graph& group, ValueId output);

// What an output of a group is made of: of a write, what is written.
[[nodiscard]] ValueId storedBy(const Graph& group, ValueId output);

// The input of a group that an output of it lies in; nothing where it has memory of its own.
[[nodiscard]] std::optional<std::size_t> writtenInput(const Graph& group, std::size_t output);

// The inputs that a group writes into.
[[nodiscard]] std::vector<bool> writtenInputs(const Graph& group);

}  // namespace qs::core
