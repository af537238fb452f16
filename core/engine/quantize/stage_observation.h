#pragma once

#include "core/engine/quantize/column_rounder.h"
#include "core/engine/quantize/sample_run.h"
#include "core/measure/calibration_record.h"

#include <vector>

namespace qs::engine {

// What calibration made for the weights of one stage, under the names that its program uses.
struct StageFindings {
    NamedTensors tensors;  // statistics, or the stored parts of solved weights
    std::vector<core::SolvedLayer> layers = {};
    double seconds = 0.0;  // that making it took
};

// Runs the stage as it is without its scheme and gathers the statistic of each layer that has one;
// the samples stay at the beginning of the stage.
[[nodiscard]] core::Result<StageFindings> observeStage(const core::StageProgram& stage,
                                                       const StageWeights& weights, SampleRun& run,
                                                       c10::Device device,
                                                       const Progress& progress);

// Note [Sequential solving]
// All samples stand at the same operation, each with the values that are still needed there. At a
// layer to be solved its inputs are gathered, its weight is solved for, and what the samples go on
// with is the output of the solved layer: so each layer is solved on inputs that have passed those
// before it, every operation runs once, and beside the weights there are one matrix of second
// moments and the values of one place.
//
// Each layer is timed from its inputs to its codes, which lie on the device then. `rounders` has
// those that the schemes ask for.
[[nodiscard]] core::Result<StageFindings>
solveStage(const core::StageProgram& stage, const StageWeights& weights,
           const core::DeviceDescription& description, SampleRun& run, c10::Device device,
           const ColumnRounders& rounders, const Progress& progress);

}  // namespace qs::engine
