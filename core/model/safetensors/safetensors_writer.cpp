#include "core/model/safetensors/safetensors_writer.h"

#include "core/base/json.h"
#include "core/model/safetensors/header.h"
#include "core/model/safetensors/tensor_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

constexpr std::size_t kAlignment = 8;

// The length of the header, little-endian, and the header, filled up with spaces.
Result<std::string> headerText(const std::vector<TensorToWrite>& tensors,
                               const SafetensorsMetadata& metadata)
{
    Json header = Json::object();
    std::uint64_t begin = 0;
    for (const TensorToWrite& tensor : tensors) {
        const TensorSize size = tensorSize(tensor.type, tensor.shape);
        std::string complaint = nameComplaint(tensor.name, SafetensorsLimits{}.nameBytes);
        if (complaint.empty() && header.contains(tensor.name))
            complaint = "is there twice";
        if (!complaint.empty() || !size.complaint.empty())
            return Error{ErrorCode::InvalidArgument,
                         "tensor " + quotedName(tensor.name) + ": " + complaint + size.complaint};
        header[tensor.name] = {{"dtype", toString(tensor.type)},
                               {"shape", tensor.shape},
                               {"data_offsets", {begin, begin + size.bytes}}};
        begin += size.bytes;
    }
    if (!metadata.empty())
        header[std::string(kSafetensorsMetadataKey)] = metadata;
    std::string text = jsonText(header);
    text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
    std::string prefix;
    for (std::size_t i = 0; i < kSafetensorsPrefixBytes; ++i)
        prefix += static_cast<char>((text.size() >> (8U * i)) & 0xFFU);
    return prefix + text;
}

}  // namespace

Result<SafetensorsSize> streamSafetensors(std::vector<TensorToWrite> tensors,
                                          const SafetensorsMetadata& metadata, const TextSink& sink)
{
    std::sort(tensors.begin(), tensors.end(), [](const TensorToWrite& a, const TensorToWrite& b) {
        return bitsOf(a.type) == bitsOf(b.type) ? a.name < b.name : bitsOf(a.type) > bitsOf(b.type);
    });
    QS_TRY(const std::string header, headerText(tensors, metadata));
    QS_RETURN_IF_ERROR(sink(header));
    std::uint64_t written = 0;  // of tensors
    const TextSink counting = [&](std::string_view piece) {
        written += piece.size();
        return sink(piece);
    };
    for (const TensorToWrite& tensor : tensors) {
        const std::uint64_t end = written + tensorSize(tensor.type, tensor.shape).bytes;
        QS_RETURN_IF_ERROR(tensor.write(counting));
        if (written != end)
            return Error{ErrorCode::Internal, "tensor " + quotedName(tensor.name) +
                                                  " gave another number of bytes than its size"};
    }
    return SafetensorsSize{header.size() + written, written};
}

Result<SafetensorsSize> writeSafetensors(const FilePlace& place, std::vector<TensorToWrite> tensors,
                                         const SafetensorsMetadata& metadata)
{
    QS_TRY(AtomicFile file, AtomicFile::create(place));
    QS_TRY(const SafetensorsSize size,
           streamSafetensors(std::move(tensors), metadata, file.sink()));
    QS_RETURN_IF_ERROR(file.commit());
    return size;
}

}  // namespace qs::core
