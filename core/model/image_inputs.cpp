#include "core/model/image_inputs.h"

#include "core/base/checks.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// Zeros behind the entries of the second dimension, up to that many.
template <typename Value>
std::vector<Value> filledUp(const std::vector<Value>& values,
                            const std::vector<std::int64_t>& shape, std::int64_t wanted)
{
    const auto own = static_cast<std::ptrdiff_t>(values.size()) / shape[0];
    const std::ptrdiff_t padded = own / shape[1] * wanted;
    std::vector<Value> all(static_cast<std::size_t>(shape[0] * padded));
    for (std::int64_t b = 0; b < shape[0]; ++b)
        std::copy_n(values.begin() + b * own, own, all.begin() + b * padded);
    return all;
}

void fillUp(HostTensor& tensor, const std::vector<std::int64_t>& wanted)
{
    if (tensor.shape.size() < 2 || wanted.size() != tensor.shape.size() || tensor.shape[0] < 1 ||
        tensor.shape[1] < 1 || wanted[1] <= tensor.shape[1])
        return;
    std::visit([&](auto& values) { values = filledUp(values, tensor.shape, wanted[1]); },
               tensor.values);
    tensor.shape[1] = wanted[1];
}

}  // namespace

FloatArray middleRows(FloatArray images, std::int64_t rows)
{
    QS_ASSERT(images.shape.size() >= 2);
    const std::int64_t width = images.shape.back();
    std::int64_t& height = images.shape[images.shape.size() - 2];
    if (rows <= 0 || rows >= height)
        return images;
    const std::ptrdiff_t plane = height * width;
    const std::ptrdiff_t above = (height - rows) / 2 * width;
    const auto planes = static_cast<std::ptrdiff_t>(images.values.size()) / plane;
    std::vector<float> middle(static_cast<std::size_t>(planes * rows * width));
    for (std::ptrdiff_t i = 0; i < planes; ++i)
        std::copy_n(images.values.begin() + i * plane + above, rows * width,
                    middle.begin() + i * rows * width);
    images.values = std::move(middle);
    height = rows;
    return images;
}

InputShapes inputShapes(const std::vector<const Graph*>& stages)
{
    InputShapes shapes;
    for (const Graph* graph : stages) {
        for (const ValueId id : graph->inputs)
            shapes.emplace(graph->value(id).name, graph->value(id).type.shape);
    }
    return shapes;
}

Result<HostTensors> inputsOfImages(const ModelFamily& family, FloatArray images, const Sizes& sizes,
                                   const InputShapes& shapes)
{
    QS_TRY(HostTensors inputs,
           family.prepare(middleRows(std::move(images), sizes.find(kImageHeight).value_or(0))));
    if (sizes.find(kTokenBudget).value_or(0) == 0)
        return inputs;
    for (auto& [name, tensor] : inputs) {
        if (const auto found = shapes.find(name); found != shapes.end())
            fillUp(tensor, found->second);
    }
    return inputs;
}

}  // namespace qs::core
