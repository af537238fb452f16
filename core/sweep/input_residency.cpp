#include "core/sweep/input_residency.h"

namespace qs::core {

std::string_view name(InputResidency residency)
{
    return kInputPlacements.of(residency);
}

Result<InputResidency> parseInputResidency(std::string_view text)
{
    return kInputPlacements.parse(text, "input placement");
}

std::vector<InputResidency> allInputResidencies()
{
    return kInputPlacements.values();
}

}  // namespace qs::core
