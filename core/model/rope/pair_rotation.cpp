#include "core/model/rope/pair_rotation.h"

namespace qs::core {

RotaryTable rotaryTable(GraphBuilder& builder, const std::vector<double>& inverseFrequencies,
                        ValueId positions, DType type, DType compute)
{
    const ValueId inverse = builder.constant(
        "inv_freq", {DType::Float32, {static_cast<std::int64_t>(inverseFrequencies.size())}},
        inverseFrequencies);
    const ValueId place = builder.unsqueeze(builder.cast(positions, type), -1);
    const ValueId angles = builder.binary("mul", place, builder.cast(inverse, type));
    const ValueId cosine = builder.cast(builder.unary("cos", angles), compute);
    return {cosine, builder.cast(builder.unary("sin", angles), compute)};
}

ValueId turnPairs(GraphBuilder& builder, ValueId x, const RotaryTable& table)
{
    std::vector<std::int64_t> pairs = builder.shape(x);
    pairs.back() /= 2;
    pairs.push_back(2);
    const std::vector<ValueId> parts = builder.unbind(builder.reshape(x, pairs), -1);
    // One operation per statement: C++ leaves the order of arguments open.
    const ValueId firstCosine = builder.binary("mul", parts[0], table.cosine);
    const ValueId firstSine = builder.binary("mul", parts[1], table.sine);
    const ValueId first = builder.binary("sub", firstCosine, firstSine);
    const ValueId secondCosine = builder.binary("mul", parts[1], table.cosine);
    const ValueId secondSine = builder.binary("mul", parts[0], table.sine);
    const ValueId second = builder.binary("add", secondCosine, secondSine);
    return builder.flatten(builder.stack({first, second}, -1), -2, -1);
}

}  // namespace qs::core
