#include "core/engine/probe/describe.h"

#include "core/engine/internal/backend.h"

#include <torch/csrc/api/include/torch/version.h>

namespace qs::engine {

EngineVersions engineVersions()
{
    return {TORCH_VERSION, QS_CUDA_VERSION};
}

std::vector<core::DeviceDescription> describeDevices()
{
    std::vector<core::DeviceDescription> devices{core::describeCpu()};
    for (core::DeviceDescription& device : describeCudaDevices())
        devices.push_back(std::move(device));
    return devices;
}

std::string whyNoGpu()
{
    return whyNoCuda();
}

} // namespace qs::engine
