#include "core/model/model.h"

namespace qs::core {

std::int64_t WeightSpec::elementCount() const
{
    return TensorType{DType::Float32, shape}.elementCount();
}

std::size_t weightOwner(const ModelFamily& family, std::size_t stage)
{
    return family.stages()[stage].sharedWith.value_or(stage);
}

std::int64_t ModelFamily::runsPerPass(std::size_t, const ShapePoint&) const
{
    return 1;
}

Result<HostTensors> ModelFamily::prepare(const FloatArray&) const
{
    return Error{ErrorCode::Unsupported, "the model takes no images"};
}

Result<FloatArray> ModelFamily::present(const FloatArray& output, const ShapePoint&) const
{
    return output;
}

const std::vector<LayerSpec>& ModelFamily::layers(std::size_t stage) const
{
    std::call_once(m_layersOnce, [this] {
        for (std::size_t each = 0; each < stages().size(); ++each) {
            // A stage that cannot be built has no layers; whoever lowers it is told why.
            const auto graph = buildStage(each, workload().smallestShape(), DType::Float32);
            m_layers.push_back(graph.ok() ? findLayers(graph.value()) : std::vector<LayerSpec>());
        }
    });
    return m_layers.at(stage);
}

std::int64_t Model::parameterCount(std::size_t stage) const
{
    std::int64_t count = 0;
    for (const WeightSpec& weight : family->stages().at(stage).weights)
        count += weight.buffer ? 0 : weight.elementCount();
    return count;
}

std::int64_t Model::parameterCount() const
{
    std::int64_t count = 0;
    for (std::size_t stage = 0; stage < family->stages().size(); ++stage)
        count += family->stages()[stage].sharedWith ? 0 : parameterCount(stage);
    return count;
}

}  // namespace qs::core
