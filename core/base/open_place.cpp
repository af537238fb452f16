#include "core/base/open_place.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

bool isLink(int folder, const fs::path& name)
{
    struct stat status {
    };
    return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISLNK(status.st_mode);
}

Error notOpened(const FilePlace& place, int errorNumber)
{
    Error error = ioError("open", place.path(), errorNumber);
    // Nothing lies below what is no folder.
    if (errorNumber == ENOTDIR)
        error.code = ErrorCode::NotFound;
    return error;
}

// Why the entry `name` of an open folder, which is `path`, cannot be opened on the way to `place`.
Error openError(int folder, const fs::path& name, const fs::path& path, const FilePlace& place,
                int errorNumber)
{
    return isLink(folder, name) ? linkInside(path) : notOpened(place, errorNumber);
}

bool leadsDown(const fs::path& relative)
{
    if (relative.is_absolute() || !relative.has_filename())
        return false;
    for (const fs::path& part : relative) {
        if (part == ".." || part == ".")
            return false;
    }
    return true;
}

Result<OpenFolder> openInnerFolder(const FilePlace& place)
{
    if (!leadsDown(place.relative()))
        return Error{ErrorCode::Format,
                     place.string() + " is not inside " + place.folder().string()};
    OpenFolder opened;
    opened.descriptor = FileDescriptor(::open(place.folder().c_str(), kFolder));
    if (!opened.descriptor.valid())
        return notOpened(place, errno);
    fs::path path = place.folder();
    for (const fs::path& part : place.relative().parent_path()) {
        path /= part;
        const int folder = opened.descriptor.get();
        FileDescriptor next(::openat(folder, part.c_str(), kFolder | O_NOFOLLOW));
        if (!next.valid())
            return openError(folder, part, path, place, errno);
        opened.descriptor = std::move(next);
    }
    opened.name = place.relative().filename();
    return opened;
}

}  // namespace

Error linkInside(const fs::path& path)
{
    return {ErrorCode::Format,
            path.string() + " is a link; links inside a run folder are not followed"};
}

Result<OpenFolder> openFolderOf(const FilePlace& place)
{
    if (place.isInside())
        return openInnerFolder(place);
    if (!place.path().has_filename())
        return Error{ErrorCode::InvalidArgument, place.path().empty()
                                                     ? "the file name is empty"
                                                     : place.string() + " is not a file name"};
    OpenFolder opened;
    const fs::path folder = place.path().parent_path();
    opened.descriptor = FileDescriptor(::open(folder.empty() ? "." : folder.c_str(), kFolder));
    if (!opened.descriptor.valid())
        return ioError("open", place.path(), errno);
    opened.name = place.path().filename();
    return opened;
}

Result<FileDescriptor> openPlace(const FilePlace& place, int flags, unsigned mode)
{
    flags |= O_CLOEXEC | O_NOCTTY;
    if (!place.isInside()) {
        FileDescriptor file(::open(place.path().c_str(), flags, mode));
        if (!file.valid() && place.path().empty())
            return Error{ErrorCode::InvalidArgument, "the file name is empty"};
        if (!file.valid())
            return ioError("open", place.path(), errno);
        return file;
    }
    QS_TRY(const OpenFolder folder, openFolderOf(place));
    FileDescriptor file(
        ::openat(folder.descriptor.get(), folder.name.c_str(), flags | O_NOFOLLOW, mode));
    if (!file.valid())
        return openError(folder.descriptor.get(), folder.name, place.path(), place, errno);
    return file;
}

Status checkRegular(const struct stat& status, const fs::path& path)
{
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + " is a folder, not a file"};
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + " is not a regular file"};
    return {};
}

}  // namespace qs::core
