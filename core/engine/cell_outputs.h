#pragma once

#include "core/engine/execute/pipeline.h"
#include "core/engine/lowered_cell.h"
#include "core/engine/sample_set.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"

#include <functional>
#include <vector>

namespace qs::engine {

// A cell that has been timed.
struct TimedCell {
    const core::CellRequest& request;
    const LoweredCell& cell;
    const std::vector<StageWeights>& weights;
    const SampleSet& samples;
    Pipeline& pipeline;
    Backend& backend;
};

// Sends the quality set through the very pipeline that was timed, in chunks of the cell's batch;
// prompts that have a length of their own one by one, through the same weights in the shape of
// each. Hashes every output, writes those that are kept, and records both in `result`; what a
// language model read and wrote lies beside them, see TokenFile. `progressed` is told the fraction
// done; its false ends with Cancelled.
[[nodiscard]] core::Status writeOutputs(const TimedCell& timed,
                                        const std::function<bool(double)>& progressed,
                                        core::CellResult& result);

}  // namespace qs::engine
