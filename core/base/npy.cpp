#include "core/base/npy.h"

#include "core/base/files.h"
#include "core/base/npy_header.h"

#include <span>
#include <utility>

namespace qs::core {

namespace {

// A file of float32 whose header fits its size, before any value is read.
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
    const auto refuse = [&](const std::string& why) { return notNpy(place.path(), why); };
    auto layout = openNpyFile(place);
    if (!layout.ok())
        return layout.error().code == ErrorCode::Format ? refuse(layout.error().message)
                                                        : layout.error();
    NpyFile& npy = layout.value();
    if (npy.type != "<f4")
        return refuse("the values are not little-endian float32");
    if (npy.dataBytes % sizeof(float) != 0 || npy.count != npy.dataBytes / sizeof(float))
        return refuse("shape " + npyShapeText(npy.shape) + " does not match " +
                      std::to_string(npy.dataBytes) + " bytes of data");
    return OpenNpy{std::move(npy.file), std::move(npy.shape), npy.dataStart, npy.count};
}

}  // namespace

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
        return Error{ErrorCode::InvalidArgument, place.string() + ": its shape " +
                                                     npyShapeText(npy.shape) + " has no entries " +
                                                     std::to_string(first) + " to " +
                                                     std::to_string(first - 1 + count)};
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
                                                     npyShapeText(npy.shape)};
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
