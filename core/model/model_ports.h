#pragma once

#include "core/graph/graph.h"
#include "core/model/model.h"

#include <map>
#include <string>
#include <vector>

namespace qs::core {

// What the stages of a model take and give, and what they are made of.
struct ModelPorts {
    std::map<std::string, TensorType> inputs;  // by name, also those that an earlier stage gives
    std::map<std::string, TensorType> outputs;
    std::vector<std::string> modules;  // and those around them, each once, as the program comes by
};

// Null if there is none of that name.
[[nodiscard]] const TensorType* typeIn(const std::map<std::string, TensorType>& types,
                                       const std::string& name);
// At these sizes, or at the smallest ones where the model does not have them.
[[nodiscard]] Result<ModelPorts> portsNear(const ModelFamily& family, const Sizes& sizes);
// At a shape that has passed checkShape().
[[nodiscard]] Result<ModelPorts> portsOf(const ModelFamily& family, const ShapePoint& shape);

}  // namespace qs::core
