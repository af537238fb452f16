#pragma once

#include "core/base/result.h"
#include "core/graph/exported/concrete_graph.h"
#include "core/model/opened_model.h"

#include <filesystem>
#include <vector>

namespace qs::core::exported {

// A .pt2 of torch.export.save as a model of one stage, or several of them, see
// core/model/joined_paths.h. All
// operations that cannot be run are an error that lists them; nothing of the file is run, and no
// pickle is read.
[[nodiscard]] Result<OpenedModel> openExported(const std::filesystem::path& path);
// The error that lists what keeps a program from running here.
[[nodiscard]] Error unsupportedProgram(const std::filesystem::path& path,
                                       const std::vector<UnsupportedOperation>& operations);
// Without reading the weights.
[[nodiscard]] ModelInspection inspectExported(const std::filesystem::path& path);

}  // namespace qs::core::exported
