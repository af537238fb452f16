#pragma once

#include "core/base/file_place.h"
#include "core/base/result.h"

#include <cstdint>
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
[[nodiscard]] Status writeNpy(const FilePlace& place, const FloatArray& array);
// Refuses other types and orders, sizes that contradict the file, and more than `limitBytes` of
// data.
[[nodiscard]] Result<FloatArray> readNpy(const FilePlace& place,
                                         std::uint64_t limitBytes = std::uint64_t{4} << 30U);

// The shape alone; what is announced fits the size of the file.
[[nodiscard]] Result<std::vector<std::int64_t>> readNpyShape(const FilePlace& place);
// Entries `first` … `first` + `count` - 1 of the first dimension; reads nothing else of the file.
[[nodiscard]] Result<FloatArray> readNpyEntries(const FilePlace& place, std::int64_t first,
                                                std::int64_t count);

// A part of the last two dimensions of an array.
struct NpyWindow {
    std::int64_t left = 0;
    std::int64_t top = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
};
// Of an array [..., H, W] only this part of each H x W; reads nothing else of the file. The window
// must lie inside.
[[nodiscard]] Result<FloatArray> readNpyWindow(const FilePlace& place, const NpyWindow& window);

}  // namespace qs::core
