#include "tests/support/safetensors_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::tests {

namespace {

constexpr std::size_t kHeaderAlignment = 8;

// Written member by member, because the format wants its own order of tensors and members.
std::string headerText(const std::vector<const TensorToWrite*>& tensors,
                       const core::SafetensorsMetadata& metadata)
{
    std::string text = "{";
    if (!metadata.empty())
        text += "\"__metadata__\":" + nlohmann::json(metadata).dump();
    std::size_t offset = 0;
    for (const TensorToWrite* tensor : tensors) {
        text += text.size() > 1 ? "," : "";
        text += nlohmann::json(tensor->name).dump();
        text += ":{\"dtype\":\"" + std::string(toString(tensor->dtype)) + "\",\"shape\":";
        text += nlohmann::json(tensor->shape).dump();
        text += ",\"data_offsets\":[" + std::to_string(offset) + ",";
        offset += tensor->bytes.size();
        text += std::to_string(offset) + "]}";
    }
    text += "}";
    text.append((kHeaderAlignment - text.size() % kHeaderAlignment) % kHeaderAlignment, ' ');
    return text;
}

}  // namespace

std::string encodeSafetensors(std::span<const TensorToWrite> tensors,
                              const core::SafetensorsMetadata& metadata)
{
    std::vector<const TensorToWrite*> sorted;
    for (const TensorToWrite& tensor : tensors)
        sorted.push_back(&tensor);
    std::sort(sorted.begin(), sorted.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
        return a->dtype != b->dtype ? a->dtype > b->dtype : a->name < b->name;
    });
    const std::string header = headerText(sorted, metadata);
    std::string bytes;
    for (unsigned shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>((std::uint64_t{header.size()} >> shift) & 255U);
    bytes += header;
    for (const TensorToWrite* tensor : sorted)
        bytes.append(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
    return bytes;
}

core::Status writeSafetensors(const std::filesystem::path& path,
                              std::span<const TensorToWrite> tensors,
                              const core::SafetensorsMetadata& metadata)
{
    return core::writeFileAtomically(path, encodeSafetensors(tensors, metadata));
}

}  // namespace qs::tests
