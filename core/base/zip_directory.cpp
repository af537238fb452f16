#include "core/base/zip_directory.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/files.h"
#include "core/base/zip_format.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace qs::core::zip {

namespace {

constexpr std::uint64_t kMostEntries = 100'000;
constexpr std::size_t kMostNameBytes = 4096;
constexpr std::uint64_t kMostRatio = 200;
// Small entries of one letter repeated exceed the ratio without harm.
constexpr std::uint64_t kHarmlessBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostDirectoryBytes = std::uint64_t{64} << 20U;
constexpr std::size_t kMostCommentBytes = 0xffff;

// Little-endian numbers out of bytes that hold them; whoever calls has counted.
class Numbers final
{
public:
    explicit Numbers(std::string_view bytes) : m_bytes(bytes) {}
    [[nodiscard]] std::uint16_t u16(std::size_t at) const
    {
        return static_cast<std::uint16_t>(number(at, 2));
    }
    [[nodiscard]] std::uint32_t u32(std::size_t at) const
    {
        return static_cast<std::uint32_t>(number(at, 4));
    }
    [[nodiscard]] std::uint64_t u64(std::size_t at) const { return number(at, 8); }

private:
    [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t count) const
    {
        QS_ASSERT(at + count <= m_bytes.size());
        std::uint64_t value = 0;
        for (std::size_t i = count; i-- > 0;)
            value = value << 8U | static_cast<unsigned char>(m_bytes[at + i]);
        return value;
    }

    std::string_view m_bytes;
};

Error refuse(const OpenArchive& archive, const std::string& why)
{
    return {ErrorCode::Format, archive.path.string() + ": " + why};
}

Error refuse(const OpenArchive& archive, std::string_view name, const std::string& why)
{
    return refuse(archive, "entry \"" + excerpt(name) + "\" " + why);
}

Result<std::string> bytesAt(const OpenArchive& archive, std::uint64_t offset, std::uint64_t count)
{
    if (offset > archive.bytes || count > archive.bytes - offset)
        return refuse(archive, "the directory of the zip file points beyond its end");
    std::string bytes(count, '\0');
    QS_RETURN_IF_ERROR(readExactlyAt(archive.file, std::as_writable_bytes(std::span(bytes)), offset,
                                     archive.path));
    return bytes;
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
};

// The record of 64 bits that stands in front of the end, if one does.
Result<std::optional<Directory>> find64(const OpenArchive& archive, std::uint64_t endOffset)
{
    if (endOffset < kEnd64LocatorBytes)
        return std::optional<Directory>();
    QS_TRY(const std::string locator,
           bytesAt(archive, endOffset - kEnd64LocatorBytes, kEnd64LocatorBytes));
    if (Numbers(locator).u32(0) != kEnd64Locator)
        return std::optional<Directory>();
    const std::uint64_t offset = Numbers(locator).u64(8);
    QS_TRY(const std::string record, bytesAt(archive, offset, kEnd64Bytes));
    const Numbers numbers(record);
    const bool sane = numbers.u32(0) == kEnd64 && numbers.u32(16) == 0 && numbers.u32(20) == 0 &&
                      numbers.u64(24) == numbers.u64(32) &&
                      offset + kEnd64Bytes <= endOffset - kEnd64LocatorBytes;
    if (!sane)
        return refuse(archive, "the end of the zip file contradicts itself");
    if (numbers.u64(48) + numbers.u64(40) != offset)
        return refuse(archive, "the directory of the zip file is not in front of its end");
    return std::optional(Directory{numbers.u64(48), numbers.u64(40), numbers.u64(32)});
}

// The end stands behind everything but a comment.
Result<Directory> findDirectory(const OpenArchive& archive)
{
    const std::uint64_t tailBytes =
        std::min<std::uint64_t>(archive.bytes, kEndBytes + kMostCommentBytes);
    QS_TRY(const std::string tail, bytesAt(archive, archive.bytes - tailBytes, tailBytes));
    for (std::size_t at = tail.size() < kEndBytes ? 0 : tail.size() - kEndBytes + 1; at-- > 0;) {
        const Numbers numbers(std::string_view(tail).substr(at));
        if (tail.size() - at < kEndBytes || numbers.u32(0) != kEnd)
            continue;
        if (numbers.u16(20) != tail.size() - at - kEndBytes)
            continue;
        if (numbers.u16(4) != 0 || numbers.u16(6) != 0 || numbers.u16(8) != numbers.u16(10))
            return refuse(archive, "the zip file is a part of several");
        const std::uint64_t endOffset = archive.bytes - tailBytes + at;
        QS_TRY(const auto large, find64(archive, endOffset));
        const Directory found =
            large.value_or(Directory{numbers.u32(16), numbers.u32(12), numbers.u16(10)});
        if (found.offset > endOffset || found.bytes > endOffset - found.offset)
            return refuse(archive,
                          "the directory of the zip file does not fit in front of its end");
        // Else there are two archives in the file, and others may see the other one.
        if (!large && found.offset + found.bytes != endOffset)
            return refuse(archive, "the directory of the zip file is not in front of its end");
        return found;
    }
    return refuse(archive, "is no whole zip file: its end is missing");
}

// Relative, downwards, and readable by people.
bool isSafeName(std::string_view name)
{
    if (name.empty() || name.size() > kMostNameBytes || name.front() == '/' ||
        name.find('\\') != std::string_view::npos || (name.size() > 1 && name[1] == ':'))
        return false;
    if (std::any_of(name.begin(), name.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return false;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t slash = std::min(name.find('/', begin), name.size());
        const std::string_view part = name.substr(begin, slash - begin);
        if (part == ".." || part == "." || (part.empty() && slash != name.size()))
            return false;
        begin = slash + 1;
    }
    return true;
}

// Fills in what stands in the field of 64 bits. False if it is not there.
bool readExtra64(std::string_view extra, std::initializer_list<std::uint64_t*> numbers)
{
    const bool wanted = std::any_of(numbers.begin(), numbers.end(),
                                    [](const std::uint64_t* each) { return *each == kIn64; });
    while (wanted && extra.size() >= 4) {
        const Numbers header(extra);
        const std::size_t bytes = header.u16(2);
        if (bytes > extra.size() - 4)
            return false;
        if (header.u16(0) != kExtra64) {
            extra.remove_prefix(4 + bytes);
            continue;
        }
        const Numbers content(extra.substr(4, bytes));
        std::size_t at = 0;
        for (std::uint64_t* each : numbers) {
            if (*each != kIn64)
                continue;
            if (at + 8 > bytes)
                return false;
            *each = content.u64(at);
            at += 8;
        }
        return true;
    }
    return !wanted;
}

// Files and folders; links and devices have another type in the upper half of the attributes.
bool isPlain(std::uint16_t madeBy, std::uint32_t attributes)
{
    constexpr std::uint32_t kUnix = 3;
    const std::uint32_t type = attributes >> 28U;
    return (madeBy >> 8U) != kUnix || type == 0 || type == 8 || type == 4;
}

// Reads a little ahead: the headers of small entries stand close to each other.
class HeaderReader final
{
public:
    explicit HeaderReader(const OpenArchive& archive) : m_archive(archive) {}

    // Valid until the next call.
    Result<std::string_view> at(std::uint64_t offset, std::uint64_t count)
    {
        constexpr std::uint64_t kAhead = 4096;
        const bool there = offset >= m_begin && offset - m_begin <= m_bytes.size() &&
                           count <= m_bytes.size() - (offset - m_begin);
        if (!there) {
            const std::uint64_t left = m_archive.bytes - std::min(offset, m_archive.bytes);
            QS_TRY(m_bytes, bytesAt(m_archive, offset, std::max(count, std::min(kAhead, left))));
            m_begin = offset;
        }
        return std::string_view(m_bytes).substr(offset - m_begin, count);
    }

private:
    const OpenArchive& m_archive;
    std::string m_bytes;
    std::uint64_t m_begin = 0;
};

// Where the content begins, by the header in front of it, which must say what the directory says.
Result<std::uint64_t> contentOffset(const OpenArchive& archive, HeaderReader& headers,
                                    const ZipEntry& entry, std::uint64_t headerOffset)
{
    QS_TRY(const std::string_view found, headers.at(headerOffset, kLocalHeaderBytes));
    const std::string header(found);
    const Numbers numbers(header);
    if (numbers.u32(0) != kLocalHeader)
        return refuse(archive, entry.name, "has no header where the directory says");
    const std::uint64_t nameBytes = numbers.u16(26);
    const std::uint64_t extraBytes = numbers.u16(28);
    QS_TRY(const std::string_view rest,
           headers.at(headerOffset + kLocalHeaderBytes, nameBytes + extraBytes));
    std::uint64_t bytes = numbers.u32(22);
    std::uint64_t storedBytes = numbers.u32(18);
    const bool read = readExtra64(rest.substr(nameBytes), {&bytes, &storedBytes});
    const bool behind = (numbers.u16(6) & kFlagSizesBehind) != 0;
    const bool same = read && rest.compare(0, nameBytes, entry.name) == 0 &&
                      numbers.u16(8) == (entry.deflated ? kDeflated : kStored) &&
                      ((behind && bytes == 0 && storedBytes == 0) ||
                       (bytes == entry.bytes && storedBytes == entry.storedBytes)) &&
                      ((behind && numbers.u32(14) == 0) || numbers.u32(14) == entry.checksum);
    if (!same)
        return refuse(archive, entry.name,
                      "says something else in its header than in the directory");
    return headerOffset + kLocalHeaderBytes + nameBytes + extraBytes;
}

// A place of the file that belongs to one entry, its header included.
struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

class DirectoryReader final
{
public:
    DirectoryReader(const OpenArchive& archive, const Directory& directory)
        : m_archive(archive), m_directory(directory), m_headers(archive)
    {
    }

    Result<std::vector<ZipEntry>> read()
    {
        if (m_directory.count > kMostEntries || m_directory.bytes > kMostDirectoryBytes ||
            m_directory.count * kDirectoryEntryBytes > m_directory.bytes)
            return refuse(m_archive, "has " + std::to_string(m_directory.count) +
                                         " entries; 100,000 are the most, and each needs its line");
        QS_TRY(const std::string bytes, bytesAt(m_archive, m_directory.offset, m_directory.bytes));
        std::string_view rest = bytes;
        for (std::uint64_t i = 0; i < m_directory.count; ++i) {
            QS_TRY(const std::size_t used, readEntry(rest));
            rest.remove_prefix(used);
        }
        if (!rest.empty())
            return refuse(m_archive, "has more in its directory than entries");
        QS_RETURN_IF_ERROR(checkOverlap());
        return std::move(m_entries);
    }

private:
    // The bytes of the directory that it takes.
    Result<std::size_t> readEntry(std::string_view bytes)
    {
        const auto torn = [&] {
            return refuse(m_archive, "the directory of the zip file is torn");
        };
        if (bytes.size() < kDirectoryEntryBytes)
            return torn();
        const Numbers numbers(bytes);
        const std::size_t nameBytes = numbers.u16(28);
        const std::size_t extraBytes = numbers.u16(30);
        const std::size_t all = kDirectoryEntryBytes + nameBytes + extraBytes + numbers.u16(32);
        if (numbers.u32(0) != kDirectoryEntry || bytes.size() < all)
            return torn();
        ZipEntry entry;
        entry.name = bytes.substr(kDirectoryEntryBytes, nameBytes);
        entry.checksum = numbers.u32(16);
        entry.storedBytes = numbers.u32(20);
        entry.bytes = numbers.u32(24);
        std::uint64_t headerOffset = numbers.u32(42);
        if (!readExtra64(bytes.substr(kDirectoryEntryBytes + nameBytes, extraBytes),
                         {&entry.bytes, &entry.storedBytes, &headerOffset}))
            return torn();
        const std::uint16_t method = numbers.u16(10);
        entry.deflated = method == kDeflated;
        QS_RETURN_IF_ERROR(checkName(entry));
        if ((numbers.u16(8) & kFlagEncrypted) != 0)
            return refuse(m_archive, entry.name, "is encrypted");
        if (method != kStored && method != kDeflated)
            return refuse(m_archive, entry.name, "is compressed by a method other than deflate");
        if (!isPlain(numbers.u16(4), numbers.u32(38)))
            return refuse(m_archive, entry.name, "is a link or a device, not a file");
        QS_RETURN_IF_ERROR(checkSize(entry));
        QS_TRY(entry.offset, contentOffset(m_archive, m_headers, entry, headerOffset));
        if (entry.offset > m_directory.offset ||
            entry.storedBytes > m_directory.offset - entry.offset)
            return refuse(m_archive, entry.name, "reaches into the directory");
        m_extents.push_back({headerOffset, entry.offset + entry.storedBytes});
        // Folders are entries as well, whose names end in a slash.
        if (!entry.name.ends_with('/'))
            m_entries.push_back(std::move(entry));
        return all;
    }

    Status checkName(const ZipEntry& entry)
    {
        if (!isSafeName(entry.name) || cleanLine(entry.name) != entry.name)
            return refuse(m_archive, entry.name, "has a name that may lead out of the archive");
        std::string folded = entry.name;
        std::transform(folded.begin(), folded.end(), folded.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        if (!m_names.insert(std::move(folded)).second)
            return refuse(m_archive, entry.name, "is there twice");
        return {};
    }

    Status checkSize(const ZipEntry& entry) const
    {
        if (!entry.deflated && entry.bytes != entry.storedBytes)
            return refuse(m_archive, entry.name, "is stored, and has two sizes");
        if (entry.name.ends_with("/") && entry.bytes != 0)
            return refuse(m_archive, entry.name, "is a folder with a content");
        if (entry.deflated && entry.bytes > kHarmlessBytes &&
            entry.bytes / kMostRatio > entry.storedBytes)
            return refuse(m_archive, entry.name, "would unpack to more than 200 times its size");
        return {};
    }

    Status checkOverlap()
    {
        std::sort(m_extents.begin(), m_extents.end(),
                  [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < m_extents.size(); ++i) {
            if (m_extents[i].begin < m_extents[i - 1].end)
                return refuse(m_archive, "entries of the zip file overlap each other");
        }
        return {};
    }

    const OpenArchive& m_archive;
    const Directory& m_directory;
    HeaderReader m_headers;
    std::vector<ZipEntry> m_entries;
    std::vector<Extent> m_extents;
    std::set<std::string> m_names;  // in lower case
};

}  // namespace

Result<std::vector<ZipEntry>> readDirectory(const OpenArchive& archive)
{
    QS_TRY(const Directory directory, findDirectory(archive));
    return DirectoryReader(archive, directory).read();
}

}  // namespace qs::core::zip
