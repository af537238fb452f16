#include "core/base/file_identity.h"

#include <sys/stat.h>

#include <cerrno>

namespace qs::core {

Result<FileIdentity> identityOf(const FileDescriptor& file, const std::filesystem::path& path)
{
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    return FileIdentity{status.st_dev, status.st_ino, status.st_size,
                        status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec};
}

Result<FileIdentity> identityOf(const FilePlace& place)
{
    QS_TRY(const FileDescriptor file, openForReading(place));
    return identityOf(file, place.path());
}

}  // namespace qs::core
