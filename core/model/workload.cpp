#include "core/model/workload.h"

#include <algorithm>

namespace qs::core {

std::string_view name(OutputKind kind)
{
    return kOutputKinds.of(kind);
}

std::string_view name(WorkUnit unit)
{
    return kWorkUnits.of(unit);
}

std::string_view name(Driver driver)
{
    switch (driver) {
    case Driver::OnePass:
        return "one-pass";
    case Driver::Autoregressive:
        return "autoregressive";
    }
    QS_ASSERT(false);
    return {};
}

const SizeSpec* Workload::findSize(std::string_view name) const
{
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const SizeSpec& size) { return size.name == name; });
    return found == sizes.end() ? nullptr : &*found;
}

const InputSpec* Workload::findInput(std::string_view name) const
{
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const InputSpec& input) { return input.name == name; });
    return found == inputs.end() ? nullptr : &*found;
}

const OutputSpec& Workload::judgedOutput() const
{
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const OutputSpec& output) {
        return output.name == judged;
    });
    QS_ASSERT(found != outputs.end());
    return *found;
}

std::vector<std::string> Workload::judgedSteps() const
{
    std::vector<std::string> names;
    if (driver == Driver::OnePass || judgedOutput().kind != OutputKind::Logits)
        return names;
    for (const OutputSpec& output : outputs) {
        if (output.kind == OutputKind::Logits)
            names.push_back(output.name);
    }
    return names;
}

std::string Workload::ownSize() const
{
    const auto own = std::find_if(inputs.begin(), inputs.end(),
                                  [](const InputSpec& input) { return !input.ownSize.empty(); });
    return own == inputs.end() ? std::string() : own->ownSize;
}

ShapePoint Workload::smallestShape() const
{
    ShapePoint point;
    for (const SizeSpec& size : sizes)
        point.sizes.set(size.name, size.smallest);
    return point;
}

std::int64_t Workload::unitsPerPass(const ShapePoint& shape) const
{
    if (unitSize.empty())
        return shape.batch;
    const std::int64_t units = shape.sizes.find(unitSize).value_or(1);
    return shape.batch * (units == 0 && !otherUnitSize.empty()
                              ? shape.sizes.find(otherUnitSize).value_or(1)
                              : units);
}

Sizes Workload::completed(const Sizes& given) const
{
    Sizes all;
    for (const SizeSpec& size : sizes) {
        const auto asked = given.find(size.name);
        // One that is off unless it is asked for is no part of cells that do not ask.
        if (size.fallback == 0 && !asked)
            continue;
        all.set(size.name, size.fixed ? size.fallback : asked.value_or(size.fallback));
    }
    return all;
}

}  // namespace qs::core
