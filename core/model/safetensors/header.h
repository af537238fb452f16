#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/model/safetensors/tensor_entry.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What the JSON header says, each value checked by itself; the layout as a whole is not yet.
struct SafetensorsHeader {
    std::vector<TensorEntry> tensors;  // in the order of the header
    SafetensorsMetadata metadata;
};

// "path: not a valid safetensors file: why"
[[nodiscard]] Error safetensorsError(const std::filesystem::path& path, const std::string& why);

// Parses bytes [8, 8 + headerBytes) of the file.
[[nodiscard]] Result<SafetensorsHeader> parseSafetensorsHeader(const FileDescriptor& file,
                                                               const std::filesystem::path& path,
                                                               std::uint64_t headerBytes,
                                                               const SafetensorsLimits& limits);

// Bytes that a tensor of this type and shape takes; an empty complaint means that `bytes` is valid.
struct TensorSize {
    std::uint64_t bytes = 0;
    std::string complaint;
};
[[nodiscard]] TensorSize tensorSize(StoredType type, const std::vector<std::uint64_t>& shape);

inline constexpr std::uint64_t kSafetensorsPrefixBytes =
    8;  // the length of the header, little-endian
inline constexpr std::uint64_t kSafetensorsLargestInteger = (std::uint64_t{1} << 48U) - 1;
inline constexpr std::string_view kSafetensorsMetadataKey = "__metadata__";

}  // namespace qs::core
