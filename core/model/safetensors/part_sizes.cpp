#include "core/model/safetensors/part_sizes.h"

namespace qs::core {

void countTensor(PartSizes& sizes, const std::string& tensor, std::uint64_t bytes)
{
    const auto before = tensor.find_last_of(".:");
    PartSize& part = sizes[before == std::string::npos ? tensor : tensor.substr(before + 1)];
    ++part.tensors;
    part.bytes += bytes;
}

PartSizes partSizes(const SafetensorsFile& file)
{
    PartSizes sizes;
    for (const TensorEntry& entry : file.tensors())
        countTensor(sizes, entry.name, entry.bytes());
    return sizes;
}

}  // namespace qs::core
