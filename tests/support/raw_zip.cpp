#include "tests/support/raw_zip.h"

#include <zlib.h>

namespace qs::tests {

namespace {

void put(std::string& out, std::uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>((number >> (8 * i)) & 0xffU);
}

std::string deflate(const std::string& content)
{
    z_stream stream{};
    ::deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
    std::string packed(::deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return packed;
}

struct Sizes {
    std::uint64_t bytes;
    std::uint64_t stored;
    std::uint32_t checksum;
    std::uint16_t method;
};

void putSizes(std::string& out, const RawZipEntry& entry, const Sizes& sizes)
{
    put(out, sizes.checksum, 4);
    put(out, entry.large ? 0xffffffffU : sizes.stored, 4);
    put(out, entry.large ? 0xffffffffU : sizes.bytes, 4);
}

std::string extraOf(const RawZipEntry& entry, const Sizes& sizes)
{
    std::string extra;
    if (entry.large) {
        put(extra, 1, 2);
        put(extra, 16, 2);
        put(extra, sizes.bytes, 8);
        put(extra, sizes.stored, 8);
    }
    return extra;
}

}  // namespace

std::string rawZip(const RawZip& zip)
{
    std::string file;
    std::string directory;
    for (const RawZipEntry& entry : zip.entries) {
        const std::string packed = entry.deflated ? deflate(entry.content) : entry.content;
        const auto checksum = static_cast<std::uint32_t>(::crc32_z(
            0, reinterpret_cast<const Bytef*>(entry.content.data()), entry.content.size()));
        const Sizes sizes{
            entry.bytes.value_or(entry.content.size()), entry.storedBytes.value_or(packed.size()),
            entry.checksum.value_or(checksum),
            entry.method.value_or(static_cast<std::uint16_t>(entry.deflated ? 8 : 0))};
        const std::string extra = extraOf(entry, sizes);
        const std::string& headerName = entry.headerName.value_or(entry.name);
        const std::uint64_t offset = entry.headerOffset.value_or(file.size());
        put(file, 0x04034b50, 4);
        put(file, 20, 2);
        put(file, entry.flags, 2);
        put(file, sizes.method, 2);
        put(file, 0, 4);
        putSizes(file, entry, sizes);
        put(file, headerName.size(), 2);
        put(file, extra.size(), 2);
        file += headerName + extra + packed;
        put(directory, 0x02014b50, 4);
        put(directory, 3U << 8U | 20U, 2);
        put(directory, 20, 2);
        put(directory, entry.flags, 2);
        put(directory, sizes.method, 2);
        put(directory, 0, 4);
        putSizes(directory, entry, sizes);
        put(directory, entry.name.size(), 2);
        put(directory, extra.size(), 2);
        put(directory, 0, 6);
        put(directory, std::uint64_t{entry.attributes} << 16U, 4);
        put(directory, offset, 4);
        directory += entry.name + extra;
    }
    const std::uint64_t offset = file.size();
    file += directory;
    put(file, 0x06054b50, 4);
    put(file, 0, 4);
    const std::uint16_t count = zip.count.value_or(static_cast<std::uint16_t>(zip.entries.size()));
    put(file, count, 2);
    put(file, count, 2);
    put(file, zip.directoryBytes.value_or(static_cast<std::uint32_t>(directory.size())), 4);
    put(file, zip.directoryOffset.value_or(static_cast<std::uint32_t>(offset)), 4);
    put(file, zip.comment.size(), 2);
    return file + zip.comment;
}

}  // namespace qs::tests
