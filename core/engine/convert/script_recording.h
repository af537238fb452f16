#pragma once

#include "core/graph/exported/exported_program.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace qs::engine {

// A tensor of a network that its program finds by name.
struct HeldTensor {
    std::string name;
    at::Tensor tensor;
    core::exported::InputRole role = core::exported::InputRole::Parameter;
};

// What a network did with inputs of certain sizes.
struct ScriptRecording {
    core::exported::ExportedProgram program;  // without symbols
    std::vector<HeldTensor> held;             // what the program reads
    std::vector<at::Tensor> outputs;
};

}  // namespace qs::engine
