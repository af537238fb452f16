#pragma once

#include "core/base/result.h"
#include "core/model/opened_model.h"

#include <filesystem>
#include <vector>

namespace qs::core::exported {

// Several .pt2 as a model whose stages are called as the files are.
[[nodiscard]] Result<OpenedModel> openJoined(const std::vector<std::filesystem::path>& paths);
[[nodiscard]] ModelInspection inspectJoined(const std::vector<std::filesystem::path>& paths);

}  // namespace qs::core::exported
