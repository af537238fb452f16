#include "core/engine/probe/describe.h"

#include "core/engine/internal/backend.h"
#include "core/engine/probe/exact_int8.h"
#include "core/kernels/generated_kernel.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/api/include/torch/version.h>

namespace qs::engine {

namespace {

std::string text(bool flag)
{
    return flag ? "true" : "false";
}

bool reduces(at::CuBLASReductionOption option)
{
    return option == at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK;
}

}  // namespace

EngineVersions engineVersions()
{
    return {TORCH_VERSION, QS_CUDA_VERSION};
}

// 91501 -> "9.15.1"; before 9 the major version stood at the thousands.
std::string cudnnVersion()
{
    if (!at::Context::hasCuDNN())
        return {};
    const long version = at::Context::versionRuntimeCuDNN();
    const long unit = version >= 90000 ? 10000 : 1000;
    return std::to_string(version / unit) + "." + std::to_string(version % unit / 100) + "." +
           std::to_string(version % 100);
}

int operationThreads()
{
    return at::get_num_threads();
}

std::map<std::string, std::string> numericSwitches()
{
    at::Context& context = at::globalContext();
    return {{"tf32_matmul", text(context.allowTF32CuBLAS())},
            {"tf32_cudnn", text(context.allowTF32CuDNN())},
            {"fp16_reduced_precision_reduction", text(reduces(context.allowFP16ReductionCuBLAS()))},
            {"bf16_reduced_precision_reduction", text(reduces(context.allowBF16ReductionCuBLAS()))},
            {"fp16_accumulation", text(context.allowFP16AccumulationCuBLAS())},
            {"cudnn", text(context.userEnabledCuDNN())},
            {"cudnn_benchmark", text(context.benchmarkCuDNN())},
            {"mkldnn", text(context.userEnabledMkldnn())},
            {"deterministic_algorithms", text(context.deterministicAlgorithms())},
            {"cpu_capability", at::get_cpu_capability()}};
}

namespace {

std::vector<core::DeviceDescription> allDevices()
{
    std::vector<core::DeviceDescription> devices{core::describeCpu()};
    devices.front().exactInt8Products = multipliesInt8Exactly();
    devices.front().exactInt8Convolutions = convolvesInt8Exactly();
    for (core::DeviceDescription& device : describeCudaDevices()) {
        device.kernelsLack = core::kernelCompilerLacks();
        devices.push_back(std::move(device));
    }
    return devices;
}

}  // namespace

std::vector<core::DeviceDescription> describeDevices(const CompilerVersions& compiler)
{
    std::vector<core::DeviceDescription> devices = allDevices();
    for (core::DeviceDescription& device : devices)
        device.compilerLacks = inductorLacks(device.kind, compiler);
    return devices;
}

core::Result<core::DeviceDescription> describeDevice(const std::string& id)
{
    for (core::DeviceDescription& device : allDevices()) {
        if (device.id == id)
            return device;
    }
    return core::Error{core::ErrorCode::NotFound, "device " + id + " not found: " + whyNoGpu()};
}

std::string whyNoGpu()
{
    return whyNoCuda();
}

}  // namespace qs::engine
