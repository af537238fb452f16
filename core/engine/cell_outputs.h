#pragma once

#include "core/base/npy.h"
#include "core/engine/execute/pipeline.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/model/model.h"

#include <cstdint>
#include <functional>

namespace qs::engine {

// The quality set of the request: float32 [n, 3, H, W], H = W = image size.
[[nodiscard]] core::Result<core::FloatArray> readPictures(const core::CellRequest& request);

// Pictures first … first + count - 1 of the set, fewer at its end. The pipeline repeats them to
// fill a batch, so that every batch holds real pictures.
[[nodiscard]] core::FloatArray takePictures(const core::FloatArray& set, std::int64_t first,
                                            std::int64_t count);

// Sends the quality set through the very pipeline that was timed, in chunks of the cell's batch.
// Hashes every output, writes those that are kept, and records both in `result`. `progressed` is
// told the fraction done; its false ends with Cancelled.
[[nodiscard]] core::Status writeOutputs(const core::CellRequest& request,
                                        const core::ModelFamily& family,
                                        const core::FloatArray& pictures, Pipeline& pipeline,
                                        const std::function<bool(double)>& progressed,
                                        core::CellResult& result);

}  // namespace qs::engine
