#pragma once

#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace qs::core::exported {

// A parameter, buffer or constant of a program as graphs find it.
struct ProgramTensor {
    std::string name;  // of the weight; tensors that are one have one name
    TensorType type;   // as it is stored
    // Comes in the working type; what it says is exact otherwise (whole numbers, positions).
    bool working = false;
};
// By the names of the module.
using ProgramTensors = std::map<std::string, ProgramTensor>;

struct ConcreteRequest {
    const ExportedProgram& program;
    const ProgramTensors& tensors;
    // The floating type that the program was exported in; stands for the working type.
    DType exportType = DType::Float32;
    DType workingType = DType::Float32;
    const SymbolValues& symbols;
};

// Note [Concrete graphs]
// A program of torch.export speaks of sizes that are not known yet, and computes with them. For
// given sizes that arithmetic is done here, once, so that a Graph holds tensors only.
//  - Tensors that the program writes to are copied first: each run begins with what the file says.
//  - Operations in place, views and their order stay as they are.
//  - Assertions vanish; regions without gradients or without autocast are written in line.
//  - Linears that were taken apart (addmm or mm with a transposed weight) are layers again.
//  - Devices are left out. The floating type of the export becomes the working type wherever it
//    stands. What is made of whole numbers alone (positions, masks) and of constants stays in
//    float32 until it meets an activation.
// Results are checked against the sizes that the program states.
[[nodiscard]] Result<Graph> concreteGraph(const ConcreteRequest& request);

// An operation that cannot be run here.
struct UnsupportedOperation {
    std::string target;
    std::string module;  // where it stands first
    std::size_t calls = 0;
    bool dataDependent = false;  // the sizes of its result depend on the data
};
// All of them, by name.
[[nodiscard]] std::vector<UnsupportedOperation> unsupportedOperations(const ProgramGraph& graph);

}  // namespace qs::core::exported
