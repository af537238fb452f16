#pragma once

#include "core/base/npy.h"
#include "core/engine/execute/pipeline.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"
#include "core/model/fed_inputs.h"
#include "core/model/model.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace qs::engine {

// What a cell is judged on. Where the model takes images it is the set of the request, float32
// [n, 3, H, W], H = W = image size, on the disk, because all of it may be more than fits into
// memory: a batch is read at a time. Other inputs are those that the request feeds, or sixteen
// generated samples, which are the same in batches of every size.
class QualitySet final
{
public:
    [[nodiscard]] static core::Result<QualitySet> open(const core::CellRequest& request,
                                                       const core::ModelFamily& family,
                                                       const core::Program& program);

    [[nodiscard]] std::int64_t count() const { return m_fed.count; }
    // Of `batch` samples each, the last one perhaps not full.
    [[nodiscard]] std::int64_t batches(std::int64_t batch) const
    {
        return (count() + batch - 1) / batch;
    }
    // Samples first … first + count - 1, fewer at the end, as the model takes them. The pipeline
    // repeats them to fill a batch, so that every batch holds real images.
    [[nodiscard]] core::Result<core::HostTensors>
    prepared(const core::ModelFamily& family, std::int64_t first, std::int64_t count) const;

private:
    QualitySet(core::FilePlace file, bool images) : m_file(std::move(file)), m_images(images) {}

    core::FilePlace m_file;
    bool m_images;  // the model takes them
    core::FedInputs m_fed;
};

// Sends the quality set through the very pipeline that was timed, in chunks of the cell's batch.
// Hashes every output, writes those that are kept, and records both in `result`; what a language
// model read and wrote lies beside them, see TokenFile. `progressed` is told the fraction done; its
// false ends with Cancelled.
[[nodiscard]] core::Status writeOutputs(const core::CellRequest& request,
                                        const core::ModelFamily& family, const QualitySet& pictures,
                                        Pipeline& pipeline,
                                        const std::function<bool(double)>& progressed,
                                        core::CellResult& result);

}  // namespace qs::engine
