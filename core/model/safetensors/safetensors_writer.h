#pragma once

#include "core/base/atomic_file.h"
#include "core/model/safetensors/tensor_entry.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace qs::core {

// One tensor of a file that is to be written; its bytes, row-major and little-endian, are asked for
// when their turn comes, so that no more than one tensor lies in memory.
struct TensorToWrite {
    std::string name;
    StoredType type = StoredType::F32;
    std::vector<std::uint64_t> shape;
    std::function<Status(const TextSink&)> write;
};

struct SafetensorsSize {
    std::uint64_t fileBytes = 0;
    std::uint64_t tensorBytes = 0;
};

// To the sink, piece by piece. Tensors of the largest elements come first, so that each lies
// aligned; a tensor that gives another number of bytes than its type and shape say is an error.
[[nodiscard]] Result<SafetensorsSize> streamSafetensors(std::vector<TensorToWrite> tensors,
                                                        const SafetensorsMetadata& metadata,
                                                        const TextSink& sink);
// The same to a file, whole or not at all.
[[nodiscard]] Result<SafetensorsSize> writeSafetensors(const FilePlace& place,
                                                       std::vector<TensorToWrite> tensors,
                                                       const SafetensorsMetadata& metadata);

}  // namespace qs::core
