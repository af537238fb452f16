#include "core/model/safetensors/part_sizes.h"

namespace qs::core {

std::map<std::string, PartSize> partSizes(const SafetensorsFile& file)
{
    std::map<std::string, PartSize> parts;
    for (const TensorEntry& entry : file.tensors()) {
        const auto before = entry.name.find_last_of(".:");
        PartSize& part =
            parts[before == std::string::npos ? entry.name : entry.name.substr(before + 1)];
        ++part.tensors;
        part.bytes += entry.bytes();
    }
    return parts;
}

}  // namespace qs::core
