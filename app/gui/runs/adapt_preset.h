#pragma once

#include "core/device/description.h"
#include "core/sweep/preset.h"

#include <vector>

namespace qs::app {

// A preset that was made for another computer, for the devices of this one: devices that are not
// here give way to the first GPU, or to the CPU where there is none. Everything else stays, so that
// what cannot run here is seen as impossible, with its reason.
[[nodiscard]] core::Preset adaptPreset(core::Preset preset,
                                       const std::vector<core::DeviceDescription>& devices);

// The same for a first look: the smallest batches and a few images, each cell measured once and
// briefly.
[[nodiscard]] core::Preset quickVariant(core::Preset preset);

}  // namespace qs::app
