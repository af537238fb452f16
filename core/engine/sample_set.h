#pragma once

#include "core/base/npy.h"
#include "core/lower/program.h"
#include "core/measure/cell_request.h"
#include "core/model/fed_inputs.h"
#include "core/model/image_inputs.h"
#include "core/model/model.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace qs::engine {

// Samples that a request names: what a cell is judged on, or its calibration set. Where the model
// takes images they are float32 [n, 3, H, W], H = W = image size, on the disk, because all of them
// may be more than fits into memory: a batch is read at a time. Other inputs are those that the
// request feeds, or sixteen generated samples, which are the same in batches of every size.
class SampleSet final
{
public:
    // What the cell is judged on.
    [[nodiscard]] static core::Result<SampleSet> quality(const core::CellRequest& request,
                                                         const core::ModelFamily& family,
                                                         const core::Program& program);
    // The calibration set of the request; that there is one has been checked.
    [[nodiscard]] static core::Result<SampleSet> calibration(const core::CellRequest& request,
                                                             const core::ModelFamily& family,
                                                             const core::Program& program);

    [[nodiscard]] std::int64_t count() const { return m_fed.count; }
    // Of samples that have one of their own; else empty.
    [[nodiscard]] const std::vector<std::int64_t>& ownLengths() const { return m_fed.ownLengths; }
    // Of `batch` samples each, the last one perhaps not full.
    [[nodiscard]] std::int64_t batches(std::int64_t batch) const
    {
        return (count() + batch - 1) / batch;
    }
    // By input, of those that hold whole numbers.
    [[nodiscard]] std::map<std::string, std::int64_t> largestIds() const;
    // Samples first … first + count - 1, fewer at the end, as the model takes them. The pipeline
    // repeats them to fill a batch, so that every batch holds real images.
    [[nodiscard]] core::Result<core::HostTensors>
    prepared(const core::ModelFamily& family, std::int64_t first, std::int64_t count) const;

private:
    SampleSet(core::FilePlace file, const core::Sizes& sizes, core::InputShapes shapes, bool images)
        : m_file(std::move(file)), m_sizes(sizes), m_shapes(std::move(shapes)), m_images(images)
    {
    }

    core::FilePlace m_file;
    core::Sizes m_sizes;         // of the cell
    core::InputShapes m_shapes;  // of the stages
    bool m_images;               // the model takes them
    core::FedInputs m_fed;
};

}  // namespace qs::engine
