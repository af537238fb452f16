#include "core/engine/internal/torch_types.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

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

// Errors of the CUDA runtime after which the process cannot use the device any more carry "CUDA
// error".
bool isCudaError(const std::string& message)
{
    return message.find("CUDA error") != std::string::npos ||
           message.find("cudaError") != std::string::npos ||
           message.find("CUBLAS_STATUS") != std::string::npos;
}

Error translate(const std::string& message)
{
    if (message.find("out of memory") != std::string::npos ||
        message.find("can't allocate memory") != std::string::npos)
        return {ErrorCode::OutOfMemory, message};
    return {isCudaError(message) ? ErrorCode::Device : ErrorCode::Internal, message};
}

}  // namespace

c10::ScalarType toTorch(DType dtype)
{
    const auto& found = kTypes[static_cast<std::size_t>(dtype)];
    QS_ASSERT(found.first == dtype);
    return found.second;
}

DType fromTorch(c10::ScalarType type)
{
    for (const auto& [dtype, scalarType] : kTypes) {
        if (scalarType == type)
            return dtype;
    }
    core::failCheck("scalar type of the catalogue", __FILE__, __LINE__);
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
    } catch (const c10::Error& error) {
        return translate(error.what_without_backtrace());
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "the system is out of memory"};
    } catch (const std::exception& error) {
        return translate(error.what());
    }
}

}  // namespace qs::engine
