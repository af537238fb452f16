#include "core/run/own_file.h"

#include "core/base/files.h"

#include <sys/stat.h>
#include <unistd.h>

namespace qs::core {

bool isOwnFile(const std::filesystem::path& file)
{
    const auto opened = openForReading(file);
    struct stat status {
    };
    return opened.ok() && ::fstat(opened.value().get(), &status) == 0 &&
           status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace qs::core
