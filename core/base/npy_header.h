#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/file_place.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What stands before the values of a .npy file of this shape, filled up with spaces to a multiple
// of 64 bytes, at least to `leastBytes`, itself such a multiple.
[[nodiscard]] std::string npyHeader(const std::vector<std::int64_t>& shape,
                                    std::size_t leastBytes = 64, std::string_view type = "<f4");

// "(2, 3)"
[[nodiscard]] std::string npyShapeText(const std::vector<std::int64_t>& shape);

// A .npy file of any type in C order, before any value is read. Whether the values fit the size of
// the file is for those to check who know the type.
struct NpyFile {
    FileDescriptor file;
    std::string type;  // "<f4"; empty for records
    std::vector<std::int64_t> shape;
    std::uint64_t dataStart = 0;
    std::uint64_t dataBytes = 0;
    std::uint64_t count = 0;  // of values, by the shape
};
// Errors of the content (Format) do not name the file.
[[nodiscard]] Result<NpyFile> openNpyFile(const FilePlace& place);

}  // namespace qs::core
