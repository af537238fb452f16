#include "core/kernels/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace qs::core {

namespace {

Result<CudaDriver> openDriver()
{
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    CudaDriver driver;
    if (library == nullptr || !findSymbol(library, "cuModuleLoadData", driver.loadModule) ||
        !findSymbol(library, "cuModuleUnload", driver.unloadModule) ||
        !findSymbol(library, "cuModuleGetFunction", driver.getFunction) ||
        !findSymbol(library, "cuFuncSetAttribute", driver.setAttribute) ||
        !findSymbol(library, "cuLaunchKernelEx", driver.launch) ||
        !findSymbol(library, "cuTensorMapEncodeTiled", driver.encodeTiled))
        return notThere("the CUDA driver");
    return driver;
}

}  // namespace

const Result<CudaDriver>& cudaDriver()
{
    static const Result<CudaDriver> opened = openDriver();
    return opened;
}

Error notThere(const char* what)
{
    return Error{ErrorCode::Unsupported, fmt::format("{} is not there", what)};
}

Status cudaChecked(int code, const char* what)
{
    if (code == 0)
        return {};
    return Error{ErrorCode::Device, fmt::format("{} failed with error {}", what, code)};
}

void* symbolOf(void* library, const char* name)
{
    return ::dlsym(library, name);
}

}  // namespace qs::core
