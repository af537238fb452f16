#include "core/base/zip_archive.h"

#include "core/base/checks.h"
#include "core/base/excerpt.h"
#include "core/base/files.h"
#include "core/base/zip_directory.h"

#include <zlib.h>

#include <algorithm>

namespace qs::core {

namespace {

// Raw deflate of exactly as many bytes as the directory says.
bool inflateExactly(std::string_view packed, std::string& content)
{
    z_stream stream{};
    constexpr int kRawWindow = -15;
    if (::inflateInit2(&stream, kRawWindow) != Z_OK)
        return false;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int code = ::inflate(&stream, Z_FINISH);
    const bool whole = code == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
    return ::inflateEnd(&stream) == Z_OK && whole;
}

}  // namespace

Result<ZipArchive> ZipArchive::open(const std::filesystem::path& path)
{
    QS_TRY(FileDescriptor file, openForReading(path));
    QS_TRY(const std::uint64_t bytes, fileSize(file, path));
    ZipArchive archive(path, std::move(file), bytes);
    QS_TRY(auto entries, zip::readDirectory({archive.m_file, archive.m_path, bytes}));
    archive.index(std::move(entries));
    return archive;
}

void ZipArchive::index(std::vector<ZipEntry> entries)
{
    m_entries = std::move(entries);
    std::sort(m_entries.begin(), m_entries.end(),
              [](const ZipEntry& a, const ZipEntry& b) { return a.offset < b.offset; });
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        m_byName.emplace(m_entries[i].name, i);
}

const ZipEntry* ZipArchive::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_entries[found->second];
}

Result<std::string> ZipArchive::read(const ZipEntry& entry, std::uint64_t limitBytes) const
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format,
                     m_path.string() + ": entry \"" + excerpt(entry.name) + "\" " + why};
    };
    // What zlib counts in 32 bits.
    constexpr std::uint64_t kMostPacked = std::uint64_t{1} << 30U;
    if (entry.bytes > limitBytes || (entry.deflated && entry.bytes > kMostPacked) ||
        (entry.deflated && entry.storedBytes > kMostPacked))
        return refuse("has " + std::to_string(entry.bytes) + " bytes, more than belong there");
    std::string stored(entry.storedBytes, '\0');
    QS_RETURN_IF_ERROR(
        readExactlyAt(m_file, std::as_writable_bytes(std::span(stored)), entry.offset, m_path));
    std::string content = entry.deflated ? std::string(entry.bytes, '\0') : std::move(stored);
    if (entry.deflated && !inflateExactly(stored, content))
        return refuse("does not unpack to the size that the directory says");
    const auto checksum =
        ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    if (static_cast<std::uint32_t>(checksum) != entry.checksum)
        return refuse("is damaged: its checksum is wrong");
    return content;
}

Result<std::string> ZipArchive::readPart(const ZipEntry& entry, std::uint64_t first,
                                         std::uint64_t bytes) const
{
    QS_ASSERT(!entry.deflated && first <= entry.bytes && bytes <= entry.bytes - first);
    std::string part(bytes, '\0');
    QS_RETURN_IF_ERROR(readExactlyAt(m_file, std::as_writable_bytes(std::span(part)),
                                     entry.offset + first, m_path));
    return part;
}

bool listsEntry(const std::filesystem::path& file, std::string_view part)
{
    constexpr std::uint64_t kListBytes = std::uint64_t{1} << 20U;
    const auto opened = openForReading(file);
    if (!opened.ok())
        return false;
    const auto size = fileSize(opened.value(), file);
    if (!size.ok())
        return false;
    std::string end(std::min(size.value(), kListBytes), '\0');
    if (!readExactlyAt(opened.value(), std::as_writable_bytes(std::span(end)),
                       size.value() - end.size(), file)
             .ok())
        return false;
    return end.find(part) != std::string::npos;
}

}  // namespace qs::core
