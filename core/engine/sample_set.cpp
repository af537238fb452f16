#include "core/engine/sample_set.h"

#include "core/model/calibration_samples.h"
#include "core/model/generated_inputs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace qs::engine {

using core::CellRequest;
using core::Error;
using core::ErrorCode;
using core::FilePlace;
using core::Result;

namespace {

std::vector<const core::Graph*> graphsOf(const core::Program& program)
{
    std::vector<const core::Graph*> graphs;
    for (const core::StageProgram& stage : program.stages)
        graphs.push_back(&stage.graph);
    return graphs;
}

// How many images the file holds, which fit the cell; nothing for models that take none.
Result<std::optional<std::int64_t>> imageCount(const core::ModelFamily& family,
                                               const FilePlace& file, std::int64_t size)
{
    if (!family.workload().takesImages())
        return std::optional<std::int64_t>();
    QS_TRY(const std::vector<std::int64_t> shape, core::readNpyShape(file));
    if (shape.size() != 4 || shape[0] < 1 || shape[1] != 3 || shape[2] != size || shape[3] != size)
        return Error{ErrorCode::InvalidArgument, file.string() + " does not hold images [n, 3, " +
                                                     std::to_string(size) + ", " +
                                                     std::to_string(size) + "]"};
    return std::optional(shape[0]);
}

}  // namespace

Result<SampleSet> SampleSet::quality(const CellRequest& request, const core::ModelFamily& family,
                                     const core::Program& program)
{
    SampleSet set(request.inputs(), request.config.sizes, core::inputShapes(graphsOf(program)),
                  family.workload().takesImages());
    QS_TRY(const auto images, imageCount(family, set.m_file, request.config.imageSize()));
    QS_TRY(set.m_fed, core::readFedInputs(
                          family, graphsOf(program), request.feeding,
                          [&](const std::string& input) { return request.feed(input); },
                          request.config.seed, core::kGeneratedSamples, images));
    return set;
}

Result<SampleSet> SampleSet::calibration(const CellRequest& request,
                                         const core::ModelFamily& family,
                                         const core::Program& program)
{
    SampleSet set(request.calibrationPictures(), request.config.sizes,
                  core::inputShapes(graphsOf(program)), family.workload().takesImages());
    QS_TRY(const auto images, imageCount(family, set.m_file, request.config.imageSize()));
    QS_TRY(set.m_fed, core::readFedInputs(
                          family, graphsOf(program),
                          core::calibrationFeeding(request.feeding, request.calibration),
                          [&](const std::string& input) { return request.calibrationFeed(input); },
                          core::calibrationSeed(0), core::kGeneratedSamples, images));
    return set;
}

std::map<std::string, std::int64_t> SampleSet::largestIds() const
{
    std::map<std::string, std::int64_t> largest;
    for (const auto& [name, tensor] : m_fed.tensors) {
        const auto* ids = std::get_if<std::vector<std::int64_t>>(&tensor.values);
        if (ids != nullptr && !ids->empty())
            largest.emplace(name, *std::max_element(ids->begin(), ids->end()));
    }
    return largest;
}

Result<core::HostTensors> SampleSet::prepared(const core::ModelFamily& family, std::int64_t first,
                                              std::int64_t count) const
{
    const std::int64_t there = std::min(count, m_fed.count - first);
    core::HostTensors inputs;
    if (m_images) {
        QS_TRY(core::FloatArray pictures, core::readNpyEntries(m_file, first, there));
        QS_TRY(inputs, core::inputsOfImages(family, std::move(pictures), m_sizes, m_shapes));
    }
    inputs.merge(core::samplesOf(m_fed.tensors, family.workload(), first, there));
    return inputs;
}

}  // namespace qs::engine
