#include "core/base/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// Behind the prefix, so that no folder that somebody named looks like one of these.
constexpr std::string_view kMark = "tmp.";
constexpr std::string_view kLetters = "XXXXXX";  // that the system replaces
// A folder that has just been made may not be locked yet.
constexpr std::time_t kTimeToLock = 60;  // seconds

bool isOld(const struct stat& status)
{
    return std::time(nullptr) - status.st_mtime > kTimeToLock;
}

// The folder, open and locked by this program; none if it is in use, or not of this user.
FileDescriptor lockLeftOver(const fs::path& folder)
{
    FileDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {
    };
    if (!lock.valid() || ::fstat(lock.get(), &status) != 0 || status.st_uid != ::geteuid() ||
        !isOld(status) || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return {};
    return lock;
}

void removeLeftOvers(const fs::path& base, const std::string& prefix)
{
    std::error_code error;
    for (fs::directory_iterator each(base, error), end; !error && each != end;
         each.increment(error)) {
        const std::string name = each->path().filename().string();
        if (!name.starts_with(prefix) || name.size() != prefix.size() + kLetters.size())
            continue;
        const FileDescriptor lock = lockLeftOver(each->path());
        std::error_code ignored;
        if (lock.valid())
            fs::remove_all(each->path(), ignored);
    }
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix)
{
    std::error_code code;
    const fs::path base = fs::temp_directory_path(code);
    if (code)
        return Error{ErrorCode::Io, "no temporary folder: " + code.message()};
    return createIn(base, prefix);
}

Result<TemporaryFolder> TemporaryFolder::createIn(const fs::path& base, std::string_view prefix)
{
    const std::string marked = std::string(prefix) + std::string(kMark);
    removeLeftOvers(base, marked);
    std::string name = (base / (marked + std::string(kLetters))).string();
    if (::mkdtemp(name.data()) == nullptr)
        return ioError("create folder", name, errno);
    FileDescriptor lock(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // On a file system that knows no locks the folder is as good without.
    static_cast<void>(::flock(lock.get(), LOCK_EX | LOCK_NB));
    return TemporaryFolder(Temporary(name), std::move(lock));
}

TemporaryFolder::~TemporaryFolder()
{
    if (path().empty())
        return;
    std::error_code ignored;
    fs::remove_all(path(), ignored);
}

}  // namespace qs::core
