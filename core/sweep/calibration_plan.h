#pragma once

#include "core/model/model.h"
#include "core/quant/recipe.h"
#include "core/sweep/estimate.h"
#include "core/sweep/preset.h"

#include <string>

namespace qs::core {

// What calibration means for a cell before it runs.

// Whether a stage with layers to calibrate does so on the inputs of the run.
[[nodiscard]] bool calibratesOnInputs(const ModelFamily& family, const Recipe& recipe);
// Of what the inputs of the run are made from: a cell that is calibrated on others is another cell.
// Reads the picture files; those that cannot be read count by name, the run will say what is wrong.
[[nodiscard]] std::string inputContent(const PictureSettings& pictures);
// Seconds of all stages, 0 without calibration; `sampleSeconds` is a pass with a batch of 1.
[[nodiscard]] double calibrationSeconds(const ModelFamily& family, const Recipe& recipe,
                                        const DeviceDescription& device, double sampleSeconds);

}  // namespace qs::core
