#pragma once

#include "core/graph/exported/exported_program.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace qs::core::exported {

// The whole of models/model.json, for programs without graphs inside graphs. What makes tensors
// out of nothing makes them on `device`: "cpu", "cuda".
[[nodiscard]] nlohmann::json programJson(const ExportedProgram& program, std::string_view device);

// Type and place of a tensor, dense and row-major.
[[nodiscard]] nlohmann::json tensorMeta(const TensorDescription& type, std::string_view device);

}  // namespace qs::core::exported
