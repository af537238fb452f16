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
// Layer after layer: its inputs are gathered from samples that have passed the solved layers before
// it (core/engine/quantize/sample_walk.h), its weight is solved for, and what the samples go on
// with is the output of the solved layer. Beside the codes so far there are one matrix of second
// moments, one weight and what the samples hold between two blocks; weights that wait may lie on
// the host.
//
// A layer's time is that of summing its second moments and of solving, up to codes that lie on the
// device; `rounders` has those that the schemes ask for.
[[nodiscard]] core::Result<StageFindings>
solveStage(const core::StageProgram& stage, const StageWeights& weights,
           const core::DeviceDescription& description, SampleRun& run, c10::Device device,
           const ColumnRounders& rounders, const Progress& progress);

}  // namespace qs::engine
