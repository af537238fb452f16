#include "core/model/workload.h"

#include "core/base/enum_names.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr auto kOutputKinds = enumNames<OutputKind>({
    {OutputKind::Image, "image"},
    {OutputKind::Logits, "logits"},
    {OutputKind::Tokens, "tokens"},
    {OutputKind::Classes, "classes"},
    {OutputKind::Embedding, "embedding"},
    {OutputKind::Tensor, "tensor"},
});

constexpr auto kWorkUnits = enumNames<WorkUnit>({
    {WorkUnit::Image, "image"},
    {WorkUnit::Token, "token"},
    {WorkUnit::Sample, "sample"},
});

constexpr auto kDrivers = enumNames<Driver>({
    {Driver::OnePass, "one-pass"},
    {Driver::Autoregressive, "autoregressive"},
});

}  // namespace

std::string_view name(OutputKind kind)
{
    return kOutputKinds.of(kind);
}

Result<OutputKind> parseOutputKind(std::string_view text)
{
    return kOutputKinds.parse(text, "kind of output");
}

std::string_view name(WorkUnit unit)
{
    return kWorkUnits.of(unit);
}

std::string_view name(Driver driver)
{
    return kDrivers.of(driver);
}

const SizeSpec* Workload::findSize(std::string_view name) const
{
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const SizeSpec& size) { return size.name == name; });
    return found == sizes.end() ? nullptr : &*found;
}

const OutputSpec& Workload::judgedOutput() const
{
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const OutputSpec& output) {
        return output.name == judged;
    });
    QS_ASSERT(found != outputs.end());
    return *found;
}

ShapePoint Workload::smallestShape() const
{
    ShapePoint point;
    for (const SizeSpec& size : sizes)
        point.sizes.set(size.name, size.smallest);
    return point;
}

Sizes Workload::completed(const Sizes& given) const
{
    Sizes all;
    for (const SizeSpec& size : sizes)
        all.set(size.name, given.find(size.name).value_or(size.fallback));
    return all;
}

}  // namespace qs::core
