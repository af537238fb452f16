#include "core/kernels/tensor_map.h"

#include "core/kernels/cuda_driver.h"

namespace qs::core {

Result<TensorMap> tensorMap(const ByteMatrix& matrix, int boxRows)
{
    // Numbers of the driver's enumerations.
    constexpr int kBytes = 0;
    constexpr int kNoInterleave = 0;
    constexpr int kSwizzle128 = 3;
    constexpr int kPromote128 = 2;
    constexpr int kZeros = 0;
    constexpr std::uint32_t kBoxColumns = 128;
    if (!cudaDriver().ok())
        return cudaDriver().error();
    const std::array sizes{static_cast<std::uint64_t>(matrix.columns),
                           static_cast<std::uint64_t>(matrix.rows)};
    const std::array strides{static_cast<std::uint64_t>(matrix.pitch)};
    const std::array box{kBoxColumns, static_cast<std::uint32_t>(boxRows)};
    const std::array<std::uint32_t, 2> steps{1, 1};
    TensorMap map;
    QS_RETURN_IF_ERROR(cudaChecked(
        cudaDriver().value().encodeTiled(map.bytes.data(), kBytes, 2, matrix.data, sizes.data(),
                                         strides.data(), box.data(), steps.data(), kNoInterleave,
                                         kSwizzle128, kPromote128, kZeros),
        "cuTensorMapEncodeTiled"));
    return map;
}

}  // namespace qs::core
