#pragma once

#include "core/model/model.h"
#include "core/model/stage_cut.h"

#include <vector>

namespace qs::core {

// The model, which has one stage, with a stage for each cut; see core/model/stage_cut.h. Weights
// are read where they were; those of two stages are in memory twice.
[[nodiscard]] Status divideModel(Model& model, const std::vector<StageCut>& cuts);

}  // namespace qs::core
