#include "core/base/npy.h"

#include "core/base/files.h"
#include "core/base/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};
constexpr std::size_t kPrefixBytes = 10;  // magic, version, u16 header length

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text = "(";
    for (const std::int64_t extent : shape)
        text += std::to_string(extent) + ", ";
    if (shape.size() > 1)
        text.resize(text.size() - 2);
    return text + ")";
}

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

// A file whose header fits its size, before any value is read.
struct OpenNpy {
    FileDescriptor file;
    std::vector<std::int64_t> shape;
    std::uint64_t dataStart = 0;  // in bytes
    std::uint64_t count = 0;      // of values
};

Error notNpy(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::Format, path.string() + ": not a float32 .npy file: " + why};
}

Result<OpenNpy> openNpy(const FilePlace& place)
{
    const std::filesystem::path& path = place.path();
    const auto refuse = [&](const std::string& why) { return notNpy(path, why); };
    OpenNpy npy;
    QS_TRY(npy.file, openForReading(place));
    QS_TRY(const std::uint64_t size, fileSize(npy.file, path));
    std::array<char, kPrefixBytes> prefix{};
    if (size < kPrefixBytes)
        return refuse("shorter than its fixed part");
    QS_RETURN_IF_ERROR(readExactlyAt(npy.file, std::as_writable_bytes(std::span(prefix)), 0, path));
    if (std::string_view(prefix.data(), kMagic.size()) != kMagic)
        return refuse("wrong magic or version");
    const std::size_t headerBytes = static_cast<unsigned char>(prefix[8]) +
                                    (std::size_t{static_cast<unsigned char>(prefix[9])} << 8U);
    if (size < kPrefixBytes + headerBytes)
        return refuse("the header is cut off");
    std::string header(headerBytes, '\0');
    QS_RETURN_IF_ERROR(
        readExactlyAt(npy.file, std::as_writable_bytes(std::span(header)), kPrefixBytes, path));
    if (header.find("'<f4'") == std::string::npos)
        return refuse("the values are not little-endian float32");
    if (header.find("'fortran_order': False") == std::string::npos)
        return refuse("the values are not in C order");
    auto shape = parseShape(header);
    if (!shape)
        return refuse("the shape cannot be read");
    npy.shape = std::move(*shape);
    npy.dataStart = kPrefixBytes + headerBytes;
    const std::uint64_t dataBytes = size - npy.dataStart;
    npy.count = 1;
    for (const std::int64_t extent : npy.shape) {
        if (__builtin_mul_overflow(npy.count, static_cast<std::uint64_t>(extent), &npy.count))
            return refuse("the shape overflows");
    }
    if (dataBytes % sizeof(float) != 0 || npy.count != dataBytes / sizeof(float))
        return refuse("shape " + shapeText(npy.shape) + " does not match " +
                      std::to_string(dataBytes) + " bytes of data");
    return npy;
}

}  // namespace

std::string npyHeader(const std::vector<std::int64_t>& shape, std::size_t leastBytes)
{
    std::string text =
        "{'descr': '<f4', 'fortran_order': False, 'shape': " + shapeText(shape) + ", }";
    // The data must start at a multiple of 64 bytes, and the header must end with a line feed.
    const std::size_t written = kPrefixBytes + text.size() + 1;
    const std::size_t bytes = std::max((written + 63) / 64 * 64, leastBytes);
    text.append(bytes - written, ' ');
    text += '\n';
    std::string header(kMagic);
    header += static_cast<char>(text.size() & 255U);
    header += static_cast<char>(text.size() >> 8U);
    return header + text;
}

std::string encodeNpy(const FloatArray& array)
{
    std::string bytes = npyHeader(array.shape);
    const auto data = std::as_bytes(std::span(array.values));
    bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
    return bytes;
}

Status writeNpy(const FilePlace& place, const FloatArray& array)
{
    return writeFileAtomically(place, encodeNpy(array));
}

Result<FloatArray> readNpy(const FilePlace& place, std::uint64_t limitBytes)
{
    const std::filesystem::path& path = place.path();
    QS_TRY(OpenNpy npy, openNpy(place));
    if (npy.count > limitBytes / sizeof(float))
        return notNpy(path, "larger than the limit of " + std::to_string(limitBytes) + " bytes");
    FloatArray array{std::move(npy.shape), std::vector<float>(npy.count)};
    QS_RETURN_IF_ERROR(readExactlyAt(npy.file, std::as_writable_bytes(std::span(array.values)),
                                     npy.dataStart, path));
    return array;
}

Result<std::vector<std::int64_t>> readNpyShape(const FilePlace& place)
{
    QS_TRY(OpenNpy npy, openNpy(place));
    return std::move(npy.shape);
}

Result<FloatArray> readNpyEntries(const FilePlace& place, std::int64_t first, std::int64_t count)
{
    QS_TRY(OpenNpy npy, openNpy(place));
    if (npy.shape.empty() || first < 0 || count < 0 || first > npy.shape[0] - count)
        return Error{ErrorCode::InvalidArgument,
                     place.string() + ": its shape " + shapeText(npy.shape) + " has no entries " +
                         std::to_string(first) + " to " + std::to_string(first - 1 + count)};
    const std::uint64_t each =
        npy.shape[0] > 0 ? npy.count / static_cast<std::uint64_t>(npy.shape[0]) : 0;
    FloatArray array{std::move(npy.shape), {}};
    array.shape[0] = count;
    array.values.resize(each * static_cast<std::uint64_t>(count));
    const std::uint64_t before = each * static_cast<std::uint64_t>(first) * sizeof(float);
    QS_RETURN_IF_ERROR(readExactlyAt(npy.file, std::as_writable_bytes(std::span(array.values)),
                                     npy.dataStart + before, place.path()));
    return array;
}

Result<FloatArray> readNpyWindow(const FilePlace& place, const NpyWindow& window)
{
    const std::filesystem::path& path = place.path();
    QS_TRY(OpenNpy npy, openNpy(place));
    const std::size_t rank = npy.shape.size();
    if (rank < 2 || npy.count == 0)
        return notNpy(path, "it has no rows and columns");
    const std::int64_t rows = npy.shape[rank - 2];
    const std::int64_t columns = npy.shape[rank - 1];
    if (window.top < 0 || window.left < 0 || window.height < 1 || window.width < 1 ||
        window.height > rows || window.top > rows - window.height || window.width > columns ||
        window.left > columns - window.width)
        return Error{ErrorCode::InvalidArgument, path.string() +
                                                     ": the requested part is outside its shape " +
                                                     shapeText(npy.shape)};
    const std::uint64_t planes = npy.count / (static_cast<std::uint64_t>(rows * columns));
    FloatArray array{npy.shape, {}};
    array.shape[rank - 2] = window.height;
    array.shape[rank - 1] = window.width;
    const auto rowValues = static_cast<std::size_t>(window.width);
    array.values.resize(planes * static_cast<std::size_t>(window.height) * rowValues);
    std::span<float> rest(array.values);
    for (std::uint64_t plane = 0; plane < planes; ++plane) {
        for (std::int64_t row = window.top; row < window.top + window.height; ++row) {
            const std::uint64_t first = plane * static_cast<std::uint64_t>(rows * columns) +
                                        static_cast<std::uint64_t>(row * columns + window.left);
            QS_RETURN_IF_ERROR(readExactlyAt(npy.file,
                                             std::as_writable_bytes(rest.first(rowValues)),
                                             npy.dataStart + first * sizeof(float), path));
            rest = rest.subspan(rowValues);
        }
    }
    return array;
}

}  // namespace qs::core
