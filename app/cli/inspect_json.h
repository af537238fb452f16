#pragma once

#include "app/cli/commands.h"
#include "core/base/json.h"
#include "core/graph/cost.h"
#include "core/model/opened_model.h"
#include "core/quant/recipe.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace qs::app {

// Of the files of weights; nothing if they are generated.
[[nodiscard]] std::optional<std::uintmax_t> bytesOnDisk(const core::Model& model);

// All that is known of a model at this shape, for programs.
[[nodiscard]] core::Json inspectionJson(const core::OpenedModel& opened,
                                        const InspectCommand& command,
                                        const core::ShapePoint& shape,
                                        const std::vector<core::Cost>& costs,
                                        const core::Recipe& recipe);
// Of one that cannot be used: why, and what was recognised all the same.
[[nodiscard]] core::Json refusalJson(const InspectCommand& command,
                                     const core::ModelInspection& inspection);

}  // namespace qs::app
