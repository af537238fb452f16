#pragma once

#include "core/base/note.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// What is compiled once and runs wherever a region is equal to it.
struct RegionProgram {
    std::string part;  // kind of region, or patterns of the modules that it is chosen by
    std::string packageMode;
    Graph graph;         // of ATen operations: inputs "x0", "x1" …, outputs "y0" …
    std::string module;  // of the first region that is this
    int calls = 0;       // in one run of the stage
};

// A stage whose regions are operations qs::region.
struct RegionStage {
    Graph graph;
    Graph once;  // run once, without inputs: makes weights of the graph that no model has
    std::vector<RegionProgram> programs;
    std::vector<std::size_t> programOf;  // of each operation qs::region, in their order
    std::vector<Note> notes;
};

}  // namespace qs::core
