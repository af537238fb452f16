#pragma once

#include "core/engine/execute/pipeline.h"
#include "core/engine/sample_set.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/model/model.h"

#include <functional>

namespace qs::engine {

// Sends the quality set through the very pipeline that was timed, in chunks of the cell's batch.
// Hashes every output, writes those that are kept, and records both in `result`; what a language
// model read and wrote lies beside them, see TokenFile. `progressed` is told the fraction done; its
// false ends with Cancelled.
[[nodiscard]] core::Status writeOutputs(const core::CellRequest& request,
                                        const core::ModelFamily& family, const SampleSet& pictures,
                                        Pipeline& pipeline,
                                        const std::function<bool(double)>& progressed,
                                        core::CellResult& result);

}  // namespace qs::engine
