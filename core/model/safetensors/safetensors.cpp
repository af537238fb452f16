#include "core/model/safetensors/safetensors.h"

#include "core/base/sha256.h"
#include "core/model/safetensors/header.h"
#include "core/model/safetensors/tensor_name.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <numeric>
#include <tuple>
#include <utility>

namespace qs::core {

namespace {

constexpr std::size_t kHashChunkBytes = std::size_t{4} << 20U;

std::int64_t changeTime(const struct stat& status)
{
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

Result<FileDescriptor> openRegularFile(const std::filesystem::path& path)
{
    // Asked before opening, because opening a pipe waits for its other end.
    std::error_code code;
    const auto kind = std::filesystem::status(path, code);
    if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind) &&
        !std::filesystem::is_directory(kind))
        return Error{ErrorCode::InvalidArgument, path.string() + " is not a regular file"};
    return openForReading(path);
}

Result<std::uint64_t> readHeaderLength(const FileDescriptor& file,
                                       const std::filesystem::path& path, std::uint64_t fileBytes,
                                       const SafetensorsLimits& limits)
{
    if (fileBytes < kSafetensorsPrefixBytes)
        return safetensorsError(path, "it has " + std::to_string(fileBytes) +
                                          " bytes, less than the 8 of the header's length");
    std::array<std::byte, kSafetensorsPrefixBytes> prefix{};
    QS_RETURN_IF_ERROR(readExactlyAt(file, prefix, 0, path));
    std::uint64_t length = 0;
    for (std::size_t i = prefix.size(); i-- > 0;)
        length = (length << 8U) | std::to_integer<std::uint64_t>(prefix[i]);
    if (length > limits.headerBytes)
        return safetensorsError(path, "the header claims " + std::to_string(length) +
                                          " bytes, more than the limit of " +
                                          std::to_string(limits.headerBytes) + " (byte 0)");
    if (length > fileBytes - kSafetensorsPrefixBytes)
        return safetensorsError(
            path, "the header claims " + std::to_string(length) + " bytes, but only " +
                      std::to_string(fileBytes - kSafetensorsPrefixBytes) + " follow (byte 0)");
    return length;
}

void sortByPlace(std::vector<TensorEntry>& tensors)
{
    std::sort(tensors.begin(), tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
}

// Checks that the sorted tensors fill [0, dataBytes) exactly.
Status checkLayout(const std::vector<TensorEntry>& tensors, std::uint64_t dataBytes,
                   const std::filesystem::path& path)
{
    std::uint64_t filled = 0;
    for (const TensorEntry& entry : tensors) {
        const auto refuse = [&](const std::string& why) {
            return safetensorsError(path, "tensor " + quotedName(entry.name) + ": " + why);
        };
        const std::string place = std::to_string(entry.begin) + " of the data";
        if (entry.begin > filled)
            return refuse("it begins at byte " + place + ", which leaves a hole after byte " +
                          std::to_string(filled));
        if (entry.begin < filled)
            return refuse("it begins at byte " + place + " and overlaps the tensor that ends at " +
                          std::to_string(filled));
        const TensorSize size = tensorSize(entry.dtype, entry.shape);
        if (!size.complaint.empty())
            return refuse(size.complaint);
        if (size.bytes != entry.bytes())
            return refuse("type and shape need " + std::to_string(size.bytes) +
                          " bytes, data_offsets give " + std::to_string(entry.bytes()) + " (byte " +
                          place + ")");
        filled = entry.end;
    }
    if (filled > dataBytes)
        return safetensorsError(path, "the data is cut off: the last tensor ends at byte " +
                                          std::to_string(filled) + " of the data, the file at " +
                                          std::to_string(dataBytes));
    if (filled < dataBytes)
        return safetensorsError(path, std::to_string(dataBytes - filled) +
                                          " bytes follow the last tensor (from byte " +
                                          std::to_string(filled) + " of the data)");
    return {};
}

Result<std::vector<std::uint32_t>> indexByName(const std::vector<TensorEntry>& tensors,
                                               const std::filesystem::path& path)
{
    std::vector<std::uint32_t> index(tensors.size());
    std::iota(index.begin(), index.end(), 0U);
    std::sort(index.begin(), index.end(),
              [&](std::uint32_t a, std::uint32_t b) { return tensors[a].name < tensors[b].name; });
    const auto twin =
        std::adjacent_find(index.begin(), index.end(), [&](std::uint32_t a, std::uint32_t b) {
            return tensors[a].name == tensors[b].name;
        });
    if (twin != index.end())
        return safetensorsError(path, "tensor " + quotedName(tensors[*twin].name) +
                                          " appears twice in the header");
    return index;
}

}  // namespace

Result<SafetensorsFile> openSafetensors(const std::filesystem::path& path,
                                        const SafetensorsLimits& limits)
{
    QS_TRY(FileDescriptor file, openRegularFile(path));
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    const auto fileBytes = static_cast<std::uint64_t>(status.st_size);
    QS_TRY(const std::uint64_t headerBytes, readHeaderLength(file, path, fileBytes, limits));
    QS_TRY(SafetensorsHeader header, parseSafetensorsHeader(file, path, headerBytes, limits));

    SafetensorsFile opened;
    opened.m_dataStart = kSafetensorsPrefixBytes + headerBytes;
    sortByPlace(header.tensors);
    // Before the layout: twins would otherwise read as an overlap.
    QS_TRY(opened.m_byName, indexByName(header.tensors, path));
    QS_RETURN_IF_ERROR(checkLayout(header.tensors, fileBytes - opened.m_dataStart, path));
    opened.m_path = path;
    opened.m_file = std::move(file);
    opened.m_fileBytes = fileBytes;
    opened.m_changedAtNanoseconds = changeTime(status);
    opened.m_tensors = std::move(header.tensors);
    opened.m_metadata = std::move(header.metadata);
    return opened;
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const
{
    const auto found = std::lower_bound(
        m_byName.begin(), m_byName.end(), name,
        [&](std::uint32_t i, std::string_view wanted) { return m_tensors[i].name < wanted; });
    if (found == m_byName.end() || m_tensors[*found].name != name)
        return nullptr;
    return &m_tensors[*found];
}

Status SafetensorsFile::checkUnchanged() const
{
    struct stat status {
    };
    if (::fstat(m_file.get(), &status) != 0)
        return ioError("inspect", m_path, errno);
    if (static_cast<std::uint64_t>(status.st_size) != m_fileBytes ||
        changeTime(status) != m_changedAtNanoseconds)
        return Error{ErrorCode::Io,
                     m_path.string() + " was changed by another program since it was opened"};
    return {};
}

Status SafetensorsFile::read(const TensorEntry& entry, std::span<std::byte> out) const
{
    if (out.size() != entry.bytes())
        return Error{ErrorCode::InvalidArgument,
                     "tensor " + quotedName(entry.name) + " has " + std::to_string(entry.bytes()) +
                         " bytes, the buffer " + std::to_string(out.size())};
    return readPart(entry, 0, out);
}

Status SafetensorsFile::readPart(const TensorEntry& entry, std::uint64_t offset,
                                 std::span<std::byte> out) const
{
    const TensorEntry* mine = find(entry.name);
    if (mine == nullptr || *mine != entry)
        return Error{ErrorCode::InvalidArgument,
                     "tensor " + quotedName(entry.name) + " is not of " + m_path.string()};
    if (offset > entry.bytes() || out.size() > entry.bytes() - offset)
        return Error{ErrorCode::InvalidArgument,
                     "bytes " + std::to_string(offset) + " + " + std::to_string(out.size()) +
                         " lie outside tensor " + quotedName(entry.name) + " of " +
                         std::to_string(entry.bytes()) + " bytes"};
    // Before, because a file that became shorter should be called changed; after, because of a
    // change meanwhile.
    QS_RETURN_IF_ERROR(checkUnchanged());
    QS_RETURN_IF_ERROR(readExactlyAt(m_file, out, m_dataStart + entry.begin + offset, m_path));
    return checkUnchanged();
}

Result<std::string> SafetensorsFile::contentHash(const HashProgress& progress) const
{
    Sha256 hash;
    std::vector<std::byte> chunk(std::min<std::uint64_t>(kHashChunkBytes, m_fileBytes));
    for (std::uint64_t done = 0; done < m_fileBytes;) {
        const auto part =
            std::span(chunk).first(std::min<std::uint64_t>(chunk.size(), m_fileBytes - done));
        QS_RETURN_IF_ERROR(readExactlyAt(m_file, part, done, m_path));
        hash.update(part);
        done += part.size();
        if (progress && !progress(done, m_fileBytes))
            return Error{ErrorCode::Cancelled, "hashing " + m_path.string() + " was cancelled"};
    }
    QS_RETURN_IF_ERROR(checkUnchanged());
    return hash.hex();
}

}  // namespace qs::core
