#pragma once

#include "core/base/enum_names.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Where the inputs of a cell wait between passes.
enum class InputResidency {
    Device,      // on the device: a pass is the forward pass alone
    Pageable,    // in ordinary memory of the host; copied before each pass, with a detour
    Pinned,      // in page-locked memory of the host; copied before each pass
    Overlapped,  // pinned; the next batch is copied while the present one is worked on
};

inline constexpr auto kInputPlacements = enumNames<InputResidency>({
    {InputResidency::Device, "device"},
    {InputResidency::Pageable, "pageable"},
    {InputResidency::Pinned, "pinned"},
    {InputResidency::Overlapped, "overlapped"},
});
[[nodiscard]] std::string_view name(InputResidency residency);
[[nodiscard]] Result<InputResidency> parseInputResidency(std::string_view text);
[[nodiscard]] std::vector<InputResidency> allInputResidencies();

}  // namespace qs::core
