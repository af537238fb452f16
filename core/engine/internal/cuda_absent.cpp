#include "core/engine/internal/backend.h"

namespace qs::engine {

core::Result<std::unique_ptr<Backend>> makeCudaBackend(int)
{
    return core::Error{core::ErrorCode::Unsupported, "CUDA is not available: " + whyNoCuda()};
}

std::vector<core::DeviceDescription> describeCudaDevices()
{
    return {};
}

std::string whyNoCuda()
{
    return "this build has no CUDA part (" QS_CUDA_MISSING ")";
}

}  // namespace qs::engine
