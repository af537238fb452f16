#pragma once

#include "core/engine/quantize/sample_run.h"
#include "core/measure/calibration_record.h"
#include "core/measure/layer_report.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"
#include "core/sweep/cell.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <vector>

namespace qs::engine {

// What a layer report is made of; all of it outlives its making.
struct InspectionSetup {
    const core::Model& model;
    const core::Recipe& recipe;
    const core::CellConfig& config;
    const core::DeviceDescription& description;
    c10::Device device;
    const std::vector<StageWeights>& weights;  // as they were quantized
    std::int64_t samples = 0;
    SampleSource source;
    const std::vector<core::StageCalibration>& calibration;  // that the weights were made by
};

// Note [Layer report]
// The same samples go twice through the stages, operation by operation side by side: once as they
// are without schemes, with weights that are loaded anew, and once with the output of each
// quantized layer put in place of what the operation would give. At each layer both inputs are
// there: the first one gives the error that the layer makes, the second one what has come together
// so far. Layers run in the composition of their scheme, whatever the compile mode of the cell. A
// stage that runs more than once in a pass runs once.
[[nodiscard]] core::Result<core::LayerReport> inspectLayers(const InspectionSetup& setup,
                                                            const Progress& progress);

}  // namespace qs::engine
