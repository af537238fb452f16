#pragma once

#include "app/cli/commands.h"
#include "core/base/result.h"
#include "core/model/input_feed.h"
#include "core/model/model.h"
#include "core/sweep/calibration_inputs.h"

#include <string>
#include <vector>

namespace qs::app {

// Adds what the command line declares to what a preset does.
[[nodiscard]] core::Status applyFeeding(const FeedingOptions& options, core::ModelFeeding& feeding);
[[nodiscard]] core::Status applyCalibration(const CalibrationOptions& options,
                                            core::CalibrationInputs& calibration);
// "image_size=512", …: these, and the usual ones of the model.
[[nodiscard]] core::Result<core::Sizes> sizesFrom(const std::vector<std::string>& texts,
                                                  const core::ModelFamily& family);

}  // namespace qs::app
