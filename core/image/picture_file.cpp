#include "core/image/picture_file.h"

#include "core/base/files.h"
#include "core/base/stop.h"
#include "core/image/jpeg_codec.h"

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <string_view>
#include <system_error>

namespace qs::core {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{512} << 20U;
constexpr std::size_t kProbeBytes = 16;

struct KnownFormat {
    std::size_t offset;
    std::string_view magic;
    std::string_view name;
};

constexpr std::array kOtherFormats{KnownFormat{0, "GIF8", "a GIF"},
                                   KnownFormat{8, "WEBP", "a WebP"},
                                   KnownFormat{0, "BM", "a BMP"},
                                   KnownFormat{0, "II*", "a TIFF"},
                                   KnownFormat{0, "MM", "a TIFF"},
                                   KnownFormat{4, "ftyp", "a HEIC or AVIF"},
                                   KnownFormat{0, "\x76\x2f\x31\x01", "an OpenEXR"}};

std::string notReadable(std::string_view bytes)
{
    if (bytes.empty())
        return "the file is empty";
    for (const KnownFormat& format : kOtherFormats) {
        if (bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.magic))
            return "it is " + std::string(format.name) + " file; convert it to PNG or JPEG";
    }
    return "it is neither a PNG nor a JPEG image";
}

Result<Picture> decode(std::string_view text, const std::stop_token& stop)
{
    const auto bytes = std::as_bytes(std::span(text));
    try {
        if (isPng(bytes))
            return decodePng(bytes, stop);
        if (isJpeg(bytes))
            return decodeJpeg(bytes, stop);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "not enough memory for this image"};
    }
    return Error{ErrorCode::Format, notReadable(text)};
}

// Why the file at `path` cannot be a picture; empty if it can.
std::string reasonToSkip(const fs::path& path)
{
    const auto file = openForReading(path);
    if (!file.ok())
        return file.error().message;
    std::array<std::byte, kProbeBytes> probe{};
    const auto count = readSome(file.value(), probe, path);
    if (!count.ok())
        return count.error().message;
    const auto bytes = std::span<const std::byte>(probe).first(count.value());
    if (isPng(bytes) || isJpeg(bytes))
        return {};
    return notReadable({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Result<Picture> readPicture(const FilePlace& place, const std::stop_token& stop)
{
    QS_TRY(const std::string bytes, readTextFile(place, kMaxFileBytes));
    auto picture = decode(bytes, stop);
    if (!picture.ok())
        return picture.error().within(place.string());
    return picture;
}

Status writePng(const FilePlace& place, const Picture& picture, const PngTexts& texts,
                const std::stop_token& stop)
{
    const auto bytes = encodePng(picture, texts, stop);
    if (!bytes.ok())
        return bytes.error().within(place.string());
    return writeFileAtomically(place, bytes.value());
}

Result<PictureList> listPictures(const fs::path& folder, const std::stop_token& stop)
{
    std::error_code failure;
    fs::directory_iterator entries(folder, failure);
    if (failure)
        return Error{ErrorCode::NotFound, folder.string() + ": " + failure.message()};
    PictureList list;
    for (; entries != fs::directory_iterator(); entries.increment(failure)) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        const fs::path& path = entries->path();
        std::error_code ignored;
        if (!fs::is_regular_file(fs::status(path, ignored)))
            list.skipped.push_back({path, fs::is_directory(path, ignored)
                                              ? "it is a folder"
                                              : "it is not a regular file"});
        else if (std::string reason = reasonToSkip(path); !reason.empty())
            list.skipped.push_back({path, std::move(reason)});
        else
            list.files.push_back(path);
    }
    if (failure)
        return Error{ErrorCode::Io, folder.string() + ": " + failure.message()};
    std::sort(list.files.begin(), list.files.end());
    std::sort(list.skipped.begin(), list.skipped.end(),
              [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });
    return list;
}

namespace {

Result<std::vector<fs::path>> subfolders(const fs::path& folder)
{
    std::error_code failure;
    std::vector<fs::path> found;
    for (fs::directory_iterator entries(folder, failure);
         !failure && entries != fs::directory_iterator(); entries.increment(failure)) {
        std::error_code ignored;
        if (fs::is_directory(entries->path(), ignored))
            found.push_back(entries->path());
    }
    if (failure)
        return Error{ErrorCode::Io, folder.string() + ": " + failure.message()};
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Result<PictureList> listClassedPictures(const fs::path& folder, const std::stop_token& stop)
{
    QS_TRY(PictureList list, listPictures(folder, stop));
    if (!list.files.empty())
        return list;
    QS_TRY(const std::vector<fs::path> folders, subfolders(folder));
    std::vector<PictureList> ofClass;
    std::size_t most = 0;
    for (const fs::path& each : folders) {
        QS_TRY(PictureList pictures, listPictures(each, stop));
        list.skipped.insert(list.skipped.end(), pictures.skipped.begin(), pictures.skipped.end());
        list.classes.push_back(each.filename().string());
        most = std::max(most, pictures.files.size());
        ofClass.push_back(std::move(pictures));
    }
    if (most == 0) {
        list.classes.clear();
        return list;
    }
    // A class without images is one as well: its number belongs to it.
    std::erase_if(list.skipped, [&](const SkippedFile& file) {
        return std::find(folders.begin(), folders.end(), file.path) != folders.end();
    });
    for (std::size_t turn = 0; turn < most; ++turn) {
        for (std::size_t label = 0; label < ofClass.size(); ++label) {
            if (turn >= ofClass[label].files.size())
                continue;
            list.files.push_back(ofClass[label].files[turn]);
            list.labels.push_back(static_cast<int>(label));
        }
    }
    return list;
}

}  // namespace qs::core
