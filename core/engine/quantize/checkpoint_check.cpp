#include "core/engine/quantize/checkpoint_check.h"

#include "core/base/files.h"
#include "core/graph/exported/exported_archive.h"
#include "core/graph/exported/number_bytes.h"
#include "core/graph/exported/program_writer.h"
#include "core/lower/reference.h"
#include "core/model/quantized/checkpoint.h"
#include "core/model/safetensors/safetensors.h"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Status;

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

Error differs(const std::filesystem::path& path, const std::string& what)
{
    return {ErrorCode::Format,
            path.string() + ": " + what +
                " is not what was written: write it again, on another disk if that does not help"};
}

// Compares contents, given from the front, with the bytes of a file from an offset on.
class Comparison final
{
public:
    Comparison(const core::FileDescriptor& file, std::filesystem::path path, std::uint64_t offset)
        : m_file(file), m_path(std::move(path)), m_offset(offset)
    {
    }

    // `nameAt` says what lies at an offset.
    Status compare(std::string_view expected,
                   const std::function<std::string(std::uint64_t)>& nameAt)
    {
        while (!expected.empty()) {
            const std::string_view now = expected.substr(0, kPieceBytes);
            const std::span<std::byte> read(m_piece.data(), now.size());
            QS_RETURN_IF_ERROR(core::readExactlyAt(m_file, read, m_offset, m_path));
            if (std::memcmp(read.data(), now.data(), now.size()) != 0)
                return differs(m_path, nameAt(m_offset));
            m_offset += now.size();
            expected.remove_prefix(now.size());
        }
        return {};
    }

private:
    const core::FileDescriptor& m_file;
    std::filesystem::path m_path;
    std::uint64_t m_offset;
    std::vector<std::byte> m_piece = std::vector<std::byte>(kPieceBytes);
};

// What lies at that byte of the file.
std::string placeOf(const core::SafetensorsFile& file, std::uint64_t offset)
{
    for (const core::TensorEntry& entry : file.tensors()) {
        if (offset >= file.dataStart() + entry.begin && offset < file.dataStart() + entry.end)
            return entry.name;
    }
    return "its header";
}

Status compareWeights(const QuantizedModel& quantized, core::CheckpointFormat format,
                      const core::FilePlace& place)
{
    QS_TRY(const core::SafetensorsFile file, core::openSafetensors(place.path()));
    QS_TRY(const core::FileDescriptor bytes, core::openForReading(place));
    Comparison comparison(bytes, place.path(), 0);
    QS_TRY(const core::SafetensorsSize size,
           streamCheckpoint(quantized, format, [&](std::string_view expected) {
               return comparison.compare(
                   expected, [&](std::uint64_t offset) { return placeOf(file, offset); });
           }));
    if (size.fileBytes != file.fileBytes())
        return Error{ErrorCode::Format, place.path().string() + ": has " +
                                            std::to_string(file.fileBytes()) + " bytes, not the " +
                                            std::to_string(size.fileBytes) + " that were written"};
    return {};
}

bool isDense(const core::TensorSlice& slice)
{
    std::int64_t stride = 1;
    for (std::size_t i = slice.strides.size(); i-- > 0;) {
        if (slice.type.shape[i] != 1 && slice.strides[i] != stride)
            return false;
        stride *= slice.type.shape[i];
    }
    return slice.firstElement == 0;
}

// By the reader of archives, which shares no code with the writer.
Status compareProgram(const QuantizedModel& quantized, std::size_t stage,
                      const core::FilePlace& place)
{
    QS_TRY(const core::exported::ExportedArchive archive,
           core::exported::openExportedArchive(place.path()));
    QS_TRY(const core::FileDescriptor bytes, core::openForReading(place));
    QS_TRY(const core::ReferenceStage reference,
           core::referenceStage(quantized.program.stages[stage], quantized.device));
    for (const auto& [name, id] : core::heldTensors(reference.graph)) {
        const core::Value& value = reference.graph.value(id);
        const auto found = archive.tensors.find(name);
        if (found == archive.tensors.end() || found->second.type != value.type)
            return differs(place.path(), name);
        if (value.kind == core::ValueKind::State)
            continue;  // made of what it begins as, wherever it is loaded
        at::Tensor tensor;
        std::string numbers;
        std::string_view expected;
        if (value.kind == core::ValueKind::Constant) {
            numbers = core::numberBytes(value.type.dtype, reference.graph.constants.at(id));
            expected = numbers;
        } else {
            tensor = quantized.weights[stage].tensors.at(value.name).cpu().contiguous();
            expected = {static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()};
        }
        const core::TensorSlice& slice = found->second;
        if (!isDense(slice) || slice.bytes != expected.size())
            return differs(place.path(), name);
        Comparison comparison(bytes, place.path(), slice.offset);
        QS_RETURN_IF_ERROR(comparison.compare(expected, [&](std::uint64_t) { return name; }));
    }
    return {};
}

}  // namespace

Status compareCheckpoint(const QuantizedModel& quantized, core::CheckpointFormat format,
                         const CheckpointPlaces& places)
{
    if (format != core::CheckpointFormat::ExportedProgram)
        return compareWeights(quantized, format, places(core::quantized::kFile));
    for (std::size_t stage = 0; stage < quantized.program.stages.size(); ++stage)
        QS_RETURN_IF_ERROR(
            compareProgram(quantized, stage, places(programFile(quantized.program.stages[stage]))));
    return {};
}

}  // namespace qs::engine
