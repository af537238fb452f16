#include "core/base/npy_header.h"

#include "core/base/files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace qs::core {

namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kPrefixBytes = 10;  // of version 1: magic, version, u16 header length
constexpr std::size_t kMostHeaderBytes = 1U << 16U;

std::optional<std::vector<std::int64_t>> parseShape(std::string_view header)
{
    const auto open = header.find('(');
    const auto close = header.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return std::nullopt;
    std::vector<std::int64_t> shape;
    const char* at = header.data() + open + 1;
    const char* end = header.data() + close;
    while (at < end) {
        if (*at == ' ' || *at == ',') {
            ++at;
            continue;
        }
        std::int64_t extent = 0;
        const auto [next, error] = std::from_chars(at, end, extent);
        if (error != std::errc() || extent < 0 || shape.size() >= 16)
            return std::nullopt;
        shape.push_back(extent);
        at = next;
    }
    return shape;
}

// What stands in quotes behind a key: "<f4".
std::string_view quotedAfter(std::string_view header, std::string_view key)
{
    const auto at = header.find(key);
    if (at == std::string_view::npos)
        return {};
    const auto open = header.find('\'', at + key.size());
    const auto close = open == std::string_view::npos ? open : header.find('\'', open + 1);
    return close == std::string_view::npos ? std::string_view()
                                           : header.substr(open + 1, close - open - 1);
}

Error refused(const std::string& why)
{
    return {ErrorCode::Format, why};
}

// Where the header begins and how long it is; the second and third version have four bytes for its
// length.
Result<std::pair<std::uint64_t, std::uint64_t>>
headerOf(const FileDescriptor& file, std::uint64_t size, const std::filesystem::path& path)
{
    std::array<char, kPrefixBytes + 2> prefix{};
    const std::uint64_t there = std::min<std::uint64_t>(size, prefix.size());
    if (size < kPrefixBytes)
        return refused("shorter than its fixed part");
    QS_RETURN_IF_ERROR(
        readExactlyAt(file, std::as_writable_bytes(std::span(prefix).first(there)), 0, path));
    const int version = prefix[6];
    if (std::string_view(prefix.data(), kMagic.size()) != kMagic || version < 1 || version > 3 ||
        prefix[7] != 0)
        return refused("wrong magic or version");
    const std::uint64_t wide = version == 1 ? 0 : 2;
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < 2 + wide; ++i)
        bytes |= std::uint64_t{static_cast<unsigned char>(prefix[8 + i])} << (8 * i);
    if (size < kPrefixBytes + wide + bytes || bytes > kMostHeaderBytes)
        return refused("the header is cut off");
    return std::pair(kPrefixBytes + wide, bytes);
}

}  // namespace

std::string npyShapeText(const std::vector<std::int64_t>& shape)
{
    std::string text = "(";
    for (const std::int64_t extent : shape)
        text += std::to_string(extent) + ", ";
    if (shape.size() > 1)
        text.resize(text.size() - 2);
    return text + ")";
}

std::string npyHeader(const std::vector<std::int64_t>& shape, std::size_t leastBytes,
                      std::string_view type)
{
    std::string text = "{'descr': '" + std::string(type) +
                       "', 'fortran_order': False, 'shape': " + npyShapeText(shape) + ", }";
    // The data must start at a multiple of 64 bytes, and the header must end with a line feed.
    const std::size_t written = kPrefixBytes + text.size() + 1;
    const std::size_t bytes = std::max((written + 63) / 64 * 64, leastBytes);
    text.append(bytes - written, ' ');
    text += '\n';
    std::string header(kMagic);
    header += std::string_view("\x01\x00", 2);
    header += static_cast<char>(text.size() & 255U);
    header += static_cast<char>(text.size() >> 8U);
    return header + text;
}

Result<NpyFile> openNpyFile(const FilePlace& place)
{
    NpyFile npy;
    QS_TRY(npy.file, openForReading(place));
    QS_TRY(const std::uint64_t size, fileSize(npy.file, place.path()));
    QS_TRY(const auto where, headerOf(npy.file, size, place.path()));
    std::string header(where.second, '\0');
    QS_RETURN_IF_ERROR(readExactlyAt(npy.file, std::as_writable_bytes(std::span(header)),
                                     where.first, place.path()));
    npy.type = quotedAfter(header, "'descr':");
    if (header.find("'fortran_order': False") == std::string::npos)
        return refused("the values are not in C order");
    auto shape = parseShape(header);
    if (!shape)
        return refused("the shape cannot be read");
    npy.shape = std::move(*shape);
    npy.dataStart = where.first + where.second;
    npy.dataBytes = size - npy.dataStart;
    npy.count = 1;
    for (const std::int64_t extent : npy.shape) {
        if (__builtin_mul_overflow(npy.count, static_cast<std::uint64_t>(extent), &npy.count))
            return refused("the shape overflows");
    }
    return npy;
}

}  // namespace qs::core
