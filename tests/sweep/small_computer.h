#pragma once

#include "core/device/description.h"

namespace qs::core {

// Four processors and 16 GiB of memory.
inline DeviceDescription smallComputer()
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "CPU";
    device.memoryBytes = std::int64_t{16} << 30U;
    device.processors = 4;
    return device;
}

}  // namespace qs::core
