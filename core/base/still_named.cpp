#include "core/base/still_named.h"

#include <sys/stat.h>

namespace qs::core {

bool stillNamed(const FileDescriptor& file, const std::filesystem::path& path)
{
    struct stat opened {
    };
    struct stat named {
    };
    return ::fstat(file.get(), &opened) == 0 && opened.st_nlink > 0 &&
           ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

}  // namespace qs::core
