#include "core/engine/quantize/checkpoint_check.h"

#include "core/base/files.h"
#include "core/model/safetensors/safetensors.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Status;

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

// What lies at that byte of the file.
std::string placeOf(const core::SafetensorsFile& file, std::uint64_t offset)
{
    for (const core::TensorEntry& entry : file.tensors()) {
        if (offset >= file.dataStart() + entry.begin && offset < file.dataStart() + entry.end)
            return entry.name;
    }
    return "its header";
}

}  // namespace

Status compareCheckpoint(const QuantizedModel& quantized, core::CheckpointFormat format,
                         const core::FilePlace& place)
{
    QS_TRY(const core::SafetensorsFile file, core::openSafetensors(place.path()));
    QS_TRY(const core::FileDescriptor bytes, core::openForReading(place));
    std::vector<std::byte> piece(kPieceBytes);
    std::uint64_t offset = 0;
    const auto compare = [&](std::string_view expected) -> Status {
        while (!expected.empty()) {
            const std::string_view now = expected.substr(0, kPieceBytes);
            const std::span<std::byte> read(piece.data(), now.size());
            QS_RETURN_IF_ERROR(core::readExactlyAt(bytes, read, offset, place.path()));
            if (std::memcmp(read.data(), now.data(), now.size()) != 0)
                return Error{ErrorCode::Format, place.path().string() + ": " +
                                                    placeOf(file, offset) +
                                                    " is not what was written: write it again, on "
                                                    "another disk if that does not help"};
            offset += now.size();
            expected.remove_prefix(now.size());
        }
        return {};
    };
    QS_TRY(const core::SafetensorsSize size, streamCheckpoint(quantized, format, compare));
    if (size.fileBytes != file.fileBytes())
        return Error{ErrorCode::Format, place.path().string() + ": has " +
                                            std::to_string(file.fileBytes()) + " bytes, not the " +
                                            std::to_string(size.fileBytes) + " that were written"};
    return {};
}

}  // namespace qs::engine
