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

// Of so many as there are.
std::int64_t taken(std::int64_t wanted, std::int64_t all)
{
    return wanted <= 0 ? all : std::min(wanted, all);
}

}  // namespace

MiddlePart MiddlePart::of(std::int64_t height, std::int64_t width) const
{
    return {.rows = taken(rows, height), .columns = taken(columns, width)};
}

MiddlePart middlePartOf(const Sizes& sizes)
{
    return {.rows = sizes.find(kImageHeight).value_or(0),
            .columns = sizes.find(kImageWidth).value_or(0)};
}

FloatArray middlePart(FloatArray images, const MiddlePart& part)
{
    QS_ASSERT(images.shape.size() >= 2);
    std::int64_t& width = images.shape.back();
    std::int64_t& height = images.shape[images.shape.size() - 2];
    const auto [rows, columns] = part.of(height, width);
    if (rows == height && columns == width)
        return images;
    const std::ptrdiff_t plane = height * width;
    const std::ptrdiff_t first = (height - rows) / 2 * width + (width - columns) / 2;
    const auto planes = static_cast<std::ptrdiff_t>(images.values.size()) / plane;
    std::vector<float> middle(static_cast<std::size_t>(planes * rows * columns));
    auto to = middle.begin();
    for (std::ptrdiff_t i = 0; i < planes; ++i) {
        for (std::int64_t row = 0; row < rows; ++row)
            to = std::copy_n(images.values.begin() + i * plane + first + row * width, columns, to);
    }
    images.values = std::move(middle);
    height = rows;
    width = columns;
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
    QS_TRY(HostTensors inputs, family.prepare(middlePart(std::move(images), middlePartOf(sizes))));
    if (sizes.find(kTokenBudget).value_or(0) == 0)
        return inputs;
    for (auto& [name, tensor] : inputs) {
        if (const auto found = shapes.find(name); found != shapes.end())
            fillUp(tensor, found->second);
    }
    return inputs;
}

}  // namespace qs::core
