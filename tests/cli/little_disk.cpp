// A disk that fills up, for a program that this is loaded into with LD_PRELOAD: while the file that
// QS_FULL_DISK names is there, every file system has a kilobyte left.

#include <sys/statvfs.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

extern "C" int statvfs(const char* path, struct statvfs* space) noexcept
{
    using Function = int (*)(const char*, struct statvfs*);
    static const auto asked = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "statvfs"));
    const int result = asked(path, space);
    const char* const full = std::getenv("QS_FULL_DISK");
    if (result == 0 && full != nullptr && ::access(full, F_OK) == 0)
        space->f_bavail = 1024 / space->f_frsize + 1;
    return result;
}
