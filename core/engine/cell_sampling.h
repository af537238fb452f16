#pragma once

#include "core/base/result.h"
#include "core/engine/cell_observer.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"

namespace qs::engine {

class Backend;
class Pipeline;

struct SamplingSetup {
    Pipeline& pipeline;
    Backend& backend;
    const core::CellRequest& request;
    CellObserver& observer;
    core::CellResult& result;
};

// All that is timed of a cell whose pipeline is ready: warm-up, samples and the passes for the
// energy counter, with the conditions that they were taken under.
[[nodiscard]] core::Status sampleCell(const SamplingSetup& setup);

}  // namespace qs::engine
