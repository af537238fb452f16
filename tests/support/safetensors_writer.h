#pragma once

#include "core/model/safetensors/safetensors.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace qs::tests {

// A tensor to be written; the bytes belong to the caller.
struct TensorToWrite {
    std::string name;
    core::StoredType dtype = core::StoredType::F32;
    std::vector<std::uint64_t> shape;
    std::span<const std::byte> bytes;
};

// The whole file as the reference implementation writes it: types by falling alignment, then names;
// the header padded with spaces to a multiple of 8. Checks nothing.
[[nodiscard]] std::string encodeSafetensors(std::span<const TensorToWrite> tensors,
                                            const core::SafetensorsMetadata& metadata = {});
[[nodiscard]] core::Status writeSafetensors(const std::filesystem::path& path,
                                            std::span<const TensorToWrite> tensors,
                                            const core::SafetensorsMetadata& metadata = {});

}  // namespace qs::tests
