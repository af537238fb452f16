#include "core/engine/internal/torch_types.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace qs::engine {

using core::DType;
using core::Error;
using core::ErrorCode;

namespace {

constexpr std::array<std::pair<DType, c10::ScalarType>, 10> kTypes{{
    {DType::Float32, c10::ScalarType::Float},
    {DType::Float16, c10::ScalarType::Half},
    {DType::BFloat16, c10::ScalarType::BFloat16},
    {DType::Float8E4M3, c10::ScalarType::Float8_e4m3fn},
    {DType::Int8, c10::ScalarType::Char},
    {DType::UInt8, c10::ScalarType::Byte},
    {DType::Int32, c10::ScalarType::Int},
    {DType::Int64, c10::ScalarType::Long},
    {DType::Bool, c10::ScalarType::Bool},
    {DType::Float64, c10::ScalarType::Double},
}};

// The CUDA runtime's number for "no memory left" (cudaErrorMemoryAllocation); a build for the CPU
// has no header of it.
constexpr int kCudaNoMemory = 2;

Error ofAccelerator(const c10::AcceleratorError& error)
{
    const bool memory = error.get_error_code() == kCudaNoMemory;
    return {memory ? ErrorCode::OutOfMemory : ErrorCode::Device, error.what_without_backtrace()};
}

// What PyTorch throws without a type or a number: its allocator of host memory, and the libraries
// of CUDA, whose status has a name only. After the latter the process cannot use the device any
// more.
Error ofUntyped(const std::string& message)
{
    if (message.find("DefaultCPUAllocator") != std::string::npos)
        return {ErrorCode::OutOfMemory, message};
    for (const char* status : {"CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"}) {
        if (message.find(status) != std::string::npos)
            return {ErrorCode::OutOfMemory, message};
    }
    for (const char* library : {"CUBLAS_STATUS_", "CUDNN_STATUS_", "CUSOLVER_STATUS_"}) {
        if (message.find(library) != std::string::npos)
            return {ErrorCode::Device, message};
    }
    return {ErrorCode::Internal, message};
}

}  // namespace

c10::ScalarType toTorch(DType dtype)
{
    const auto& found = kTypes[static_cast<std::size_t>(dtype)];
    QS_ASSERT(found.first == dtype);
    return found.second;
}

bool hasDType(c10::ScalarType type)
{
    return std::any_of(kTypes.begin(), kTypes.end(),
                       [&](const auto& each) { return each.second == type; });
}

DType fromTorch(c10::ScalarType type)
{
    for (const auto& [dtype, scalarType] : kTypes) {
        if (scalarType == type)
            return dtype;
    }
    core::failCheck("scalar type of the catalogue", __FILE__, __LINE__);
}

at::TensorOptions optionsOf(core::DType type, c10::Device device)
{
    return at::TensorOptions().dtype(toTorch(type)).device(device);
}

at::Tensor constantTensor(const core::TensorType& type, const std::vector<double>& values,
                          c10::Device device)
{
    const auto options = at::TensorOptions().dtype(at::kDouble);
    return at::tensor(values, options).reshape(type.shape).to(device, toTorch(type.dtype));
}

core::Status catching(const std::function<core::Status()>& work)
{
    try {
        return work();
    } catch (const c10::OutOfMemoryError& error) {
        return Error{ErrorCode::OutOfMemory, error.what_without_backtrace()};
    } catch (const c10::AcceleratorError& error) {
        return ofAccelerator(error);
    } catch (const c10::Error& error) {
        return ofUntyped(error.what_without_backtrace());
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "the system is out of memory"};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Internal, error.what()};
    }
}

}  // namespace qs::engine
