#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace qs::core {

// A graph in two. `once`: what depends on constants alone, such as tables of positions; it has no
// inputs. `rest`: everything else, which reads the outputs of the former as weights of their names.
// Products stay where they are, for they are counted in a pass.
struct MadeOnce {
    Graph once;  // without operations where there is nothing
    Graph rest;
};
[[nodiscard]] Result<MadeOnce> madeOnce(const Graph& graph);

}  // namespace qs::core
