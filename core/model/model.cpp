#include "core/model/model.h"

namespace qs::core {

std::int64_t WeightSpec::elementCount() const
{
    return TensorType{DType::Float32, shape}.elementCount();
}

std::int64_t Model::parameterCount(std::size_t stage) const
{
    std::int64_t count = 0;
    for (const WeightSpec& weight : family->stages().at(stage).weights)
        count += weight.elementCount();
    return count;
}

std::int64_t Model::parameterCount() const
{
    std::int64_t count = 0;
    for (std::size_t stage = 0; stage < family->stages().size(); ++stage)
        count += parameterCount(stage);
    return count;
}

}  // namespace qs::core
