#include "core/model/generated_inputs.h"

#include "core/model/generated_weights.h"

#include <cmath>

namespace qs::core {

namespace {

// In [0, 1), 53 bits.
double uniform(std::uint64_t key, std::uint64_t index)
{
    return static_cast<double>(generatorHash(key, index) >> 11U) * 0x1p-53;
}

HostTensor generated(const InputSpec& input, const TensorType& type, std::int64_t seed)
{
    const std::uint64_t key = generatorKey(seed, "input/" + input.name);
    const auto count = static_cast<std::size_t>(type.elementCount());
    if (input.whole) {
        std::vector<std::int64_t> values(count);
        const double choices = input.highest - input.lowest + 1.0;
        for (std::size_t i = 0; i < count; ++i)
            values[i] =
                static_cast<std::int64_t>(std::floor(input.lowest + uniform(key, i) * choices));
        return {type.shape, std::move(values)};
    }
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] =
            static_cast<float>(input.lowest + uniform(key, i) * (input.highest - input.lowest));
    return {type.shape, std::move(values)};
}

}  // namespace

HostTensors generateInputs(const Workload& workload, const std::vector<const Graph*>& stages,
                           std::int64_t seed)
{
    HostTensors inputs;
    for (const InputSpec& input : workload.inputs) {
        for (const Graph* graph : stages) {
            const ValueId id = graph->findValue(input.name);
            if (id >= 0 && graph->value(id).kind == ValueKind::Input)
                inputs.try_emplace(input.name, generated(input, graph->value(id).type, seed));
        }
    }
    return inputs;
}

}  // namespace qs::core
