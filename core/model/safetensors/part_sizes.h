#pragma once

#include "core/model/safetensors/safetensors.h"

#include <cstdint>
#include <map>
#include <string>

namespace qs::core {

struct PartSize {
    std::int64_t tensors = 0;
    std::uint64_t bytes = 0;

    bool operator==(const PartSize&) const = default;
};

// What a file consists of, by the last part of the names of its tensors: "weight_packed",
// "weight_scale", "weight" … All bytes together are those of its tensors.
using PartSizes = std::map<std::string, PartSize>;

void countTensor(PartSizes& sizes, const std::string& tensor, std::uint64_t bytes);
[[nodiscard]] PartSizes partSizes(const SafetensorsFile& file);

}  // namespace qs::core
