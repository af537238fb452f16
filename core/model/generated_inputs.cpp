#include "core/model/generated_inputs.h"

#include "core/model/generated_weights.h"

#include <cmath>
#include <numbers>

namespace qs::core {

namespace {

// In [0, 1), 53 bits.
double uniform(std::uint64_t key, std::uint64_t index)
{
    return static_cast<double>(generatorHash(key, index) >> 11U) * 0x1p-53;
}

// Of mean 0 and deviation 1, by Box and Muller.
double normal(std::uint64_t key, std::uint64_t index)
{
    constexpr std::uint64_t kAngles = std::uint64_t{1} << 63U;  // indices that no input has
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(key, index)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(key, kAngles + index));
}

// From the value with that index on.
HostTensor generated(const InputSpec& input, const TensorType& type, std::int64_t seed,
                     std::size_t first)
{
    const std::uint64_t key = generatorKey(seed, "input/" + input.name);
    const auto count = static_cast<std::size_t>(type.elementCount());
    if (input.whole) {
        std::vector<std::int64_t> values(count);
        const double choices = input.highest - input.lowest + 1.0;
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<std::int64_t>(
                std::floor(input.lowest + uniform(key, first + i) * choices));
        return {type.shape, std::move(values)};
    }
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(input.distribution == Distribution::Normal
                                           ? input.mean + input.deviation * normal(key, first + i)
                                           : input.lowest + uniform(key, first + i) *
                                                                (input.highest - input.lowest));
    return {type.shape, std::move(values)};
}

template <typename Value>
HostTensor slice(const HostTensor& tensor, const std::vector<Value>& values, std::int64_t first,
                 std::int64_t count)
{
    std::vector<std::int64_t> shape = tensor.shape;
    const auto size = static_cast<std::int64_t>(values.size()) / shape.front();
    shape.front() = count;
    return {shape, std::vector<Value>(values.begin() + first * size,
                                      values.begin() + (first + count) * size)};
}

}  // namespace

HostTensors generateInputs(const Workload& workload, const std::vector<const Graph*>& stages,
                           std::int64_t seed, std::int64_t count, std::int64_t first)
{
    HostTensors inputs;
    for (const InputSpec& input : workload.inputs) {
        for (const Graph* graph : stages) {
            const ValueId id = graph->findValue(input.name);
            if (id < 0 || graph->value(id).kind != ValueKind::Input)
                continue;
            TensorType type = graph->value(id).type;
            std::int64_t before = 0;
            if (input.batched && !type.shape.empty()) {
                type.shape.front() = first;
                before = type.elementCount();
                type.shape.front() = count;
            }
            inputs.try_emplace(input.name,
                               generated(input, type, seed, static_cast<std::size_t>(before)));
        }
    }
    return inputs;
}

HostTensors samplesOf(const HostTensors& inputs, const Workload& workload, std::int64_t first,
                      std::int64_t count)
{
    HostTensors some;
    for (const InputSpec& input : workload.inputs) {
        const auto found = inputs.find(input.name);
        if (found == inputs.end())
            continue;
        const HostTensor& tensor = found->second;
        const bool sliced = input.batched && !tensor.shape.empty();
        some.emplace(input.name, sliced ? std::visit(
                                              [&](const auto& values) {
                                                  return slice(tensor, values, first, count);
                                              },
                                              tensor.values)
                                        : tensor);
    }
    return some;
}

Workload withoutInputs(Workload workload, const HostTensors& there)
{
    std::erase_if(workload.inputs,
                  [&](const InputSpec& input) { return there.contains(input.name); });
    return workload;
}

}  // namespace qs::core
