#pragma once

#include "core/base/result.h"
#include "core/engine/cell_observer.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/measure/sampler.h"
#include "core/model/model.h"

namespace qs::engine {

class Backend;
class Pipeline;
class SampleSet;

struct SamplingSetup {
    Pipeline& pipeline;
    const SampleSet& inputs;
    const core::ModelFamily& family;
    Backend& backend;
    const core::CellRequest& request;
    CellObserver& observer;
    core::CellResult& result;
};

// All that is timed of a cell whose pipeline is ready: warm-up, samples and the passes for the
// energy counter, with the conditions that they were taken under.
[[nodiscard]] core::Status sampleCell(const SamplingSetup& setup);

// Into a result whose stages are there: times of passes and stages, and how the warm-up went.
void takeSamples(const core::SamplingOutcome& outcome, core::CellResult& result);

}  // namespace qs::engine
