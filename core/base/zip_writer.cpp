#include "core/base/zip_writer.h"

#include "core/base/zip_format.h"

#include <zlib.h>

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::uint64_t kAlignment = 64;
// Of the field that fills the space in front of a content: PyTorch's own.
constexpr std::uint16_t kPaddingField = 0x4246;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;
// 1 January 1980, the first day that the format knows.
constexpr std::uint16_t kDate = 0x21;
constexpr std::size_t kChecksumAt = 14;  // in a local header

// Little-endian numbers, one behind the other.
class Bytes final
{
public:
    Bytes& u16(std::uint64_t number) { return put(number, 2); }
    Bytes& u32(std::uint64_t number) { return put(number, 4); }
    Bytes& u64(std::uint64_t number) { return put(number, 8); }
    Bytes& text(std::string_view text)
    {
        m_bytes += text;
        return *this;
    }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    Bytes& put(std::uint64_t number, int count)
    {
        for (int i = 0; i < count; ++i)
            m_bytes += static_cast<char>((number >> (8 * i)) & 0xffU);
        return *this;
    }

    std::string m_bytes;
};

bool isLarge(std::uint64_t number)
{
    return number >= zip::kIn64;
}

// Of a number that may stand in the ZIP64 field instead.
std::uint64_t shortened(std::uint64_t number)
{
    return std::min<std::uint64_t>(number, zip::kIn64);
}

std::string localHeader(const std::string& name, std::uint64_t offset, std::uint64_t bytes)
{
    Bytes extra;
    if (isLarge(bytes))
        extra.u16(zip::kExtra64).u16(16).u64(bytes).u64(bytes);
    constexpr std::uint64_t kFieldBytes = 4;
    const std::uint64_t begin =
        offset + zip::kLocalHeaderBytes + name.size() + extra.bytes().size() + kFieldBytes;
    const std::uint64_t padding = (kAlignment - begin % kAlignment) % kAlignment;
    extra.u16(kPaddingField).u16(padding).text(std::string(padding, '\0'));
    Bytes header;
    header.u32(zip::kLocalHeader).u16(isLarge(bytes) ? kVersion64 : kVersion);
    header.u16(zip::kFlagUtf8).u16(zip::kStored).u16(0).u16(kDate);
    // The checksum is known when the content is written.
    header.u32(0).u32(shortened(bytes)).u32(shortened(bytes));
    header.u16(name.size()).u16(extra.bytes().size()).text(name).text(extra.bytes());
    return header.bytes();
}

}  // namespace

Result<ZipWriter> ZipWriter::create(const FilePlace& place)
{
    QS_TRY(AtomicFile file, AtomicFile::create(place));
    return ZipWriter(std::move(file));
}

Status ZipWriter::add(const std::string& name, std::string_view content)
{
    return add(name, content.size(), [&](const TextSink& sink) { return sink(content); });
}

Status ZipWriter::add(const std::string& name, std::uint64_t bytes, const Content& content)
{
    QS_ASSERT(!name.empty() && name.size() < zip::kIn64Short / 2);
    Entry entry{name, m_file.size(), bytes, 0};
    QS_RETURN_IF_ERROR(m_file.write(localHeader(name, entry.offset, bytes)));
    std::uint64_t given = 0;
    unsigned long checksum = ::crc32_z(0, nullptr, 0);
    QS_RETURN_IF_ERROR(content([&](std::string_view piece) -> Status {
        given += piece.size();
        checksum = ::crc32_z(checksum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
        return m_file.write(piece);
    }));
    if (given != bytes)
        return Error{ErrorCode::InvalidArgument, "archive entry " + name + " has " +
                                                     std::to_string(given) + " bytes instead of " +
                                                     std::to_string(bytes)};
    entry.checksum = static_cast<std::uint32_t>(checksum);
    QS_RETURN_IF_ERROR(
        m_file.rewrite(entry.offset + kChecksumAt, Bytes().u32(entry.checksum).bytes()));
    m_entries.push_back(std::move(entry));
    return {};
}

Status ZipWriter::writeDirectory()
{
    for (const Entry& entry : m_entries) {
        Bytes extra;
        if (isLarge(entry.bytes))
            extra.u64(entry.bytes).u64(entry.bytes);
        if (isLarge(entry.offset))
            extra.u64(entry.offset);
        Bytes field;
        if (!extra.bytes().empty())
            field.u16(zip::kExtra64).u16(extra.bytes().size()).text(extra.bytes());
        const std::uint16_t version = extra.bytes().empty() ? kVersion : kVersion64;
        Bytes header;
        header.u32(zip::kDirectoryEntry).u16(version).u16(version);
        header.u16(zip::kFlagUtf8).u16(zip::kStored).u16(0).u16(kDate).u32(entry.checksum);
        header.u32(shortened(entry.bytes)).u32(shortened(entry.bytes)).u16(entry.name.size());
        header.u16(field.bytes().size()).u16(0).u16(0).u16(0).u32(0);
        header.u32(shortened(entry.offset)).text(entry.name).text(field.bytes());
        QS_RETURN_IF_ERROR(m_file.write(header.bytes()));
    }
    return {};
}

Status ZipWriter::commit()
{
    const std::uint64_t offset = m_file.size();
    QS_RETURN_IF_ERROR(writeDirectory());
    const std::uint64_t bytes = m_file.size() - offset;
    const std::uint64_t count = m_entries.size();
    Bytes end;
    if (isLarge(offset) || isLarge(bytes) || count >= zip::kIn64Short) {
        end.u32(zip::kEnd64).u64(zip::kEnd64Bytes - 12).u16(kVersion64).u16(kVersion64);
        end.u32(0).u32(0).u64(count).u64(count).u64(bytes).u64(offset);
        end.u32(zip::kEnd64Locator).u32(0).u64(offset + bytes).u32(1);
    }
    const std::uint64_t shortCount = std::min<std::uint64_t>(count, zip::kIn64Short);
    end.u32(zip::kEnd).u16(0).u16(0).u16(shortCount).u16(shortCount);
    end.u32(shortened(bytes)).u32(shortened(offset)).u16(0);
    QS_RETURN_IF_ERROR(m_file.write(end.bytes()));
    return m_file.commit();
}

}  // namespace qs::core
