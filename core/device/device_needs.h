#pragma once

#include "core/base/note.h"
#include "core/device/description.h"

#include <optional>
#include <string>

namespace qs::core {

// What a device must have for something to run on it. Compute capabilities are of CUDA devices.
struct DeviceNeeds {
    std::string what = {};  // "float8 matrix products", as the reason names it
    bool cpu = true;        // a CPU will do
    bool compiler = false;  // programs are compiled for it
    bool kernels = false;   // a GPU runs kernels of ours
    int computeMajor = 0;   // at least
    int computeMinor = 0;
    std::string generations = {};  // "Ada, Hopper or newer"
};

// Why the device will not do; nothing if it will.
[[nodiscard]] std::optional<Note> whyNot(const DeviceNeeds& needs, const DeviceDescription& device);

}  // namespace qs::core
