#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// A dense float32 array in row-major order, as stored in a .npy file.
struct FloatArray {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

// NumPy format 1.0, little-endian float32, C order: the only kind that this program writes or
// reads.
[[nodiscard]] std::string encodeNpy(const FloatArray& array);
[[nodiscard]] Status writeNpy(const std::filesystem::path& path, const FloatArray& array);
// Refuses other types and orders, sizes that contradict the file, and more than `limitBytes` of
// data.
[[nodiscard]] Result<FloatArray> readNpy(const std::filesystem::path& path,
                                         std::uint64_t limitBytes = std::uint64_t{4} << 30U);

} // namespace qs::core
