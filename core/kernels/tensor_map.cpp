#include "core/kernels/tensor_map.h"

#include "core/kernels/cuda_driver.h"

#include <vector>

namespace qs::core {

namespace {

struct Axis {
    std::int64_t size = 0;
    std::int64_t pitch = 0;  // bytes
    int inBox = 0;
};

// Of bytes that lie next to each other along `columns`, in boxes of 128, and these axes.
Result<TensorMap> encoded(void* data, std::int64_t columns, const std::vector<Axis>& axes)
{
    // Numbers of the driver's enumerations.
    constexpr int kBytes = 0;
    constexpr int kNoInterleave = 0;
    constexpr int kSwizzle128 = 3;
    constexpr int kPromote128 = 2;
    constexpr int kZeros = 0;
    constexpr std::uint32_t kBoxColumns = 128;
    constexpr std::size_t kAlignment = 64;
    if (!cudaDriver().ok())
        return cudaDriver().error();
    std::vector<std::uint64_t> sizes{static_cast<std::uint64_t>(columns)};
    std::vector<std::uint64_t> strides;
    std::vector<std::uint32_t> box{kBoxColumns};
    for (const Axis& axis : axes) {
        sizes.push_back(static_cast<std::uint64_t>(axis.size));
        strides.push_back(static_cast<std::uint64_t>(axis.pitch));
        box.push_back(static_cast<std::uint32_t>(axis.inBox));
    }
    const std::vector<std::uint32_t> steps(box.size(), 1);
    TensorMap map;
    alignas(kAlignment) std::array<std::byte, sizeof(map.bytes)> bytes{};
    QS_RETURN_IF_ERROR(cudaChecked(cudaDriver().value().encodeTiled(
                                       bytes.data(), kBytes, static_cast<std::uint32_t>(box.size()),
                                       data, sizes.data(), strides.data(), box.data(), steps.data(),
                                       kNoInterleave, kSwizzle128, kPromote128, kZeros),
                                   "cuTensorMapEncodeTiled"));
    map.bytes = bytes;
    return map;
}

}  // namespace

Result<TensorMap> tensorMap(const ByteMatrix& matrix, int boxRows)
{
    return encoded(matrix.data, matrix.columns, {{matrix.rows, matrix.pitch, boxRows}});
}

Result<TensorMap> tensorMap(const ByteTensor& tensor, int boxRows)
{
    constexpr std::int64_t kLeastPitch = 16;
    std::vector<Axis> axes;
    for (const ByteTensor::Axis& axis : tensor.axes)
        axes.push_back({axis.size, axis.size > 1 ? axis.pitch : kLeastPitch, 1});
    axes.front().inBox = boxRows;
    return encoded(tensor.data, tensor.columns, axes);
}

Result<TensorMap> interleavedTensorMap(const ByteMatrix& matrix, int boxRows, int neighbours)
{
    const int pairs = neighbours / 2;
    const int together = 4 * neighbours;
    return encoded(matrix.data, matrix.columns,
                   {{2, matrix.pitch, 2},
                    {4, neighbours * matrix.pitch, 4},
                    {pairs, 2 * matrix.pitch, pairs},
                    {matrix.rows / together, together * matrix.pitch, boxRows / together}});
}

}  // namespace qs::core
