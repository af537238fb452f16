#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace qs::core {

// A part of a network that is run, timed and quantized on its own: what lies below a module, and
// what follows it up to the next part.
struct StageCut {
    std::string name;    // "encoder"
    std::string module;  // "model.encoder"

    bool operator==(const StageCut&) const = default;
};

// One graph for each part, in the order of the cuts, which must be that of the program. What
// precedes the first module belongs to it. Values that a later part reads are outputs of the one
// that makes them. Errors: a module without operations, parts that take turns, a part that writes
// into what an earlier one made.
[[nodiscard]] Result<std::vector<Graph>> cutIntoStages(const Graph& graph,
                                                       const std::vector<StageCut>& cuts);

}  // namespace qs::core
