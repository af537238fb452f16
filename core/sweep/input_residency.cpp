#include "core/sweep/input_residency.h"

#include "core/base/enum_names.h"

namespace qs::core {

namespace {

constexpr auto kNames = enumNames<InputResidency>({
    {InputResidency::Device, "device"},
    {InputResidency::Pageable, "pageable"},
    {InputResidency::Pinned, "pinned"},
    {InputResidency::Overlapped, "overlapped"},
});

}  // namespace

std::string_view name(InputResidency residency)
{
    return kNames.of(residency);
}

Result<InputResidency> parseInputResidency(std::string_view text)
{
    return kNames.parse(text, "input placement");
}

std::vector<InputResidency> allInputResidencies()
{
    return kNames.values();
}

}  // namespace qs::core
