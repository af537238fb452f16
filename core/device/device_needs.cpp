#include "core/device/device_needs.h"

#include <fmt/format.h>

namespace qs::core {

std::string whyNot(const DeviceNeeds& needs, const DeviceDescription& device)
{
    if (device.kind != DeviceKind::Cuda)
        return needs.cpu ? std::string()
                         : fmt::format("{} need a CUDA device; {} is not a CUDA device", needs.what,
                                       device.id);
    if (device.atLeast(needs.computeMajor, needs.computeMinor))
        return {};
    return fmt::format("{} need compute capability {}.{} ({}); {} has {}.{}", needs.what,
                       needs.computeMajor, needs.computeMinor, needs.generations, device.name,
                       device.computeMajor, device.computeMinor);
}

}  // namespace qs::core
