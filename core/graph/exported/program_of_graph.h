#pragma once

#include "core/graph/exported/exported_program.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace qs::core::exported {

// A graph in the words of torch.export.
struct ProgramOfGraph {
    ExportedProgram program;
    std::vector<std::string> names;  // of the graph's values, by their id
};

// Parameters, states and constants are inputs that stand before the others. With
// `constantsAsBuffers`, see ProgramToWrite.
[[nodiscard]] ProgramOfGraph programOf(const Graph& graph, bool constantsAsBuffers = false);

// Type of a tensor in these words.
[[nodiscard]] TensorDescription describe(const TensorType& type);

}  // namespace qs::core::exported
