#pragma once

#include "core/graph/exported/concrete_graph.h"
#include "core/model/exported/program_inputs.h"
#include "core/model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace qs::core::exported {

// What a family is made of: a program that is wholly supported, and its tensors.
struct ProgramParts {
    ExportedProgram program;
    ProgramTensors tensors;
    std::vector<WeightSpec> weights;
    ProgramSizes sizes;
    DType exportType = DType::Float32;
};

[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(ProgramParts parts);

}  // namespace qs::core::exported
