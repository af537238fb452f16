#include "core/base/files.h"

#include "core/base/open_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

Result<struct stat> statusOf(const FileDescriptor& file, const fs::path& path)
{
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    return status;
}

}  // namespace

bool isThere(const FilePlace& place)
{
    struct stat status {
    };
    if (!place.isInside())
        return ::stat(place.path().c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
    const auto folder = openFolderOf(place);
    if (!folder.ok())
        return folder.error().code != ErrorCode::NotFound;
    return ::fstatat(folder.value().descriptor.get(), folder.value().name.c_str(), &status,
                     AT_SYMLINK_NOFOLLOW) == 0 ||
           errno != ENOENT;
}

Result<FileDescriptor> openForReading(const FilePlace& place)
{
    // O_NONBLOCK: a pipe must be refused below, not waited for. It means nothing for regular files.
    QS_TRY(FileDescriptor file, openPlace(place, O_RDONLY | O_NONBLOCK));
    QS_TRY(const struct stat status, statusOf(file, place.path()));
    QS_RETURN_IF_ERROR(checkRegular(status, place.path()));
    return file;
}

Result<FileDescriptor> openForAppending(const FilePlace& place)
{
    QS_TRY(FileDescriptor file, openPlace(place, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0666));
    QS_TRY(const struct stat status, statusOf(file, place.path()));
    QS_RETURN_IF_ERROR(checkRegular(status, place.path()));
    if (status.st_nlink > 1)
        return Error{ErrorCode::InvalidArgument,
                     place.string() + " has a second name (a hard link) that would change with it"};
    return file;
}

Result<std::uint64_t> fileSize(const FileDescriptor& file, const fs::path& path)
{
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    return static_cast<std::uint64_t>(status.st_size);
}

Result<std::size_t> readSome(const FileDescriptor& file, std::span<std::byte> buffer,
                             const fs::path& path)
{
    while (true) {
        const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
        if (count >= 0)
            return static_cast<std::size_t>(count);
        if (errno != EINTR)
            return ioError("read", path, errno);
    }
}

Status readExactlyAt(const FileDescriptor& file, std::span<std::byte> buffer, std::uint64_t offset,
                     const fs::path& path)
{
    std::size_t done = 0;
    while (done < buffer.size()) {
        const ssize_t count = ::pread(file.get(), buffer.data() + done, buffer.size() - done,
                                      static_cast<off_t>(offset + done));
        if (count == 0)
            return Error{ErrorCode::Format, path.string() + " ends at byte " +
                                                std::to_string(offset + done) + ", but " +
                                                std::to_string(buffer.size() - done) +
                                                " more bytes were expected"};
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return ioError("read", path, errno);
        }
        done += static_cast<std::size_t>(count);
    }
    return {};
}

Status writeFully(const FileDescriptor& file, std::span<const std::byte> bytes,
                  const fs::path& path)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return ioError("write", path, errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

Result<std::string> readTextFile(const FilePlace& place, std::uint64_t limitBytes)
{
    const fs::path& path = place.path();
    QS_TRY(const FileDescriptor file, openForReading(place));
    // The limit is checked on what is read, not on the size: files of the kernel report none.
    std::string text;
    std::string chunk(std::size_t{1} << 16U, '\0');
    while (true) {
        QS_TRY(const std::size_t count,
               readSome(file, std::as_writable_bytes(std::span(chunk)), path));
        if (count == 0)
            return text;
        text.append(chunk, 0, count);
        if (text.size() > limitBytes)
            return Error{ErrorCode::Format, path.string() + " is larger than the limit of " +
                                                std::to_string(limitBytes) + " bytes"};
    }
}

Status syncFolder(const FilePlace& folder)
{
    const FilePlace place = folder.path().empty() ? FilePlace(".") : folder;
    QS_TRY(const FileDescriptor directory, openPlace(place, O_RDONLY | O_DIRECTORY));
    if (::fsync(directory.get()) != 0)
        return ioError("sync", place.path(), errno);
    return {};
}

Status writeTextToExisting(const fs::path& path, std::string_view text)
{
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid())
        return ioError("open", path, errno);
    return writeFully(file, std::as_bytes(std::span(text.data(), text.size())), path);
}

Status createFolders(const FilePlace& folder)
{
    if (!folder.isInside()) {
        std::error_code code;
        fs::create_directories(folder.path(), code);
        if (code)
            return ioError("create folder", folder.path(), code.value());
        return {};
    }
    fs::path done;
    for (const fs::path& part : folder.relative()) {
        done /= part;
        const FilePlace place = FilePlace::inside(folder.folder(), done);
        QS_TRY(const OpenFolder parent, openFolderOf(place));
        if (::mkdirat(parent.descriptor.get(), parent.name.c_str(), 0777) != 0 && errno != EEXIST)
            return ioError("create folder", place.path(), errno);
    }
    // A link of that name exists, too.
    const auto made = openPlace(folder, O_PATH | O_DIRECTORY);
    return made.ok() ? Status() : made.error();
}

Status removeFile(const FilePlace& place)
{
    const auto folder = openFolderOf(place);
    if (!folder.ok() && folder.error().code == ErrorCode::NotFound)
        return {};
    if (!folder.ok())
        return folder.error();
    if (::unlinkat(folder.value().descriptor.get(), folder.value().name.c_str(), 0) != 0 &&
        errno != ENOENT)
        return ioError("remove", place.path(), errno);
    return {};
}

}  // namespace qs::core
