#pragma once

#include "core/base/result.h"
#include "core/engine/convert/script_recording.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace qs::engine {

struct ScriptInput {
    std::string name;
    at::Tensor tensor;
};

// Note [Recording a TorchScript program]
// The methods of a loaded module are walked node by node, with real tensors on the CPU: calls of
// submodules are entered, branches and loops are taken as their conditions say, and whatever makes
// tensors is written down with the path of the module it stands in and the names of its arguments.
// Arithmetic on sizes, lists, types and assertions vanishes. What is read from a tensor as a number
// (item, a condition) must not depend on inputs or weights: such a program has no fixed graph and
// is refused with the operation and its module.

// `inputs` in the order of forward(). The module is run in evaluation mode and not changed.
[[nodiscard]] core::Result<ScriptRecording> recordScript(const torch::jit::Module& module,
                                                         const std::vector<ScriptInput>& inputs);

}  // namespace qs::engine
