#include "core/model/safetensors/header.h"
#include "core/model/safetensors/tensor_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace qs::core {

namespace {

constexpr std::uint64_t kHeaderAlignment = 8;

std::string refusalOf(const TensorToWrite& tensor, const SafetensorsLimits& limits)
{
    if (tensor.name == kSafetensorsMetadataKey)
        return "this name is reserved";
    if (const std::string why = nameComplaint(tensor.name, limits.nameBytes); !why.empty())
        return why;
    if (tensor.shape.size() > limits.rank)
        return "the shape has more than " + std::to_string(limits.rank) + " dimensions";
    for (const std::uint64_t extent : tensor.shape) {
        if (extent > kSafetensorsLargestInteger)
            return "the shape has " + std::to_string(extent) + ", more than 2^48-1";
    }
    const TensorSize size = tensorSize(tensor.dtype, tensor.shape);
    if (!size.complaint.empty())
        return size.complaint;
    if (size.bytes != tensor.bytes.size())
        return "type and shape need " + std::to_string(size.bytes) + " bytes, " +
               std::to_string(tensor.bytes.size()) + " were given";
    return {};
}

// Written member by member, because the format wants its own order of tensors and members.
std::string headerText(const std::vector<const TensorToWrite*>& tensors,
                       const SafetensorsMetadata& metadata)
{
    std::string text = "{";
    if (!metadata.empty())
        text +=
            "\"" + std::string(kSafetensorsMetadataKey) + "\":" + nlohmann::json(metadata).dump();
    std::uint64_t offset = 0;
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

Result<std::string> encodeSafetensors(std::span<const TensorToWrite> tensors,
                                      const SafetensorsMetadata& metadata)
{
    const SafetensorsLimits limits;
    std::vector<const TensorToWrite*> sorted;
    std::uint64_t dataBytes = 0;
    for (const TensorToWrite& tensor : tensors) {
        if (const std::string why = refusalOf(tensor, limits); !why.empty())
            return Error{ErrorCode::InvalidArgument,
                         "cannot write tensor " + quotedName(tensor.name) + ": " + why};
        sorted.push_back(&tensor);
        dataBytes += tensor.bytes.size();
    }
    std::sort(sorted.begin(), sorted.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
        return a->dtype != b->dtype ? a->dtype > b->dtype : a->name < b->name;
    });
    std::vector<std::string_view> names;
    for (const TensorToWrite* tensor : sorted)
        names.push_back(tensor->name);
    std::sort(names.begin(), names.end());
    if (const auto twin = std::adjacent_find(names.begin(), names.end()); twin != names.end())
        return Error{ErrorCode::InvalidArgument,
                     "cannot write tensor " + quotedName(*twin) + " twice"};
    std::string header;
    try {
        header = headerText(sorted, metadata);
    } catch (const nlohmann::json::exception&) {
        return Error{ErrorCode::InvalidArgument, "the metadata is not UTF-8"};
    }
    if (header.size() > limits.headerBytes || tensors.size() > limits.tensors ||
        metadata.size() > limits.metadataEntries)
        return Error{ErrorCode::InvalidArgument, "too many tensors or metadata for one file"};
    std::string bytes;
    bytes.reserve(kSafetensorsPrefixBytes + header.size() + dataBytes);
    for (unsigned shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>((std::uint64_t{header.size()} >> shift) & 255U);
    bytes += header;
    for (const TensorToWrite* tensor : sorted)
        bytes.append(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
    return bytes;
}

Status writeSafetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                        const SafetensorsMetadata& metadata)
{
    QS_TRY(const std::string bytes, encodeSafetensors(tensors, metadata));
    return writeFileAtomically(path, bytes);
}

}  // namespace qs::core
