#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace qs::core {

struct ArchiveFile {
    std::string name;  // relative, at most 100 bytes
    std::string content;
};

// A tar archive in the ustar format (POSIX.1-1988): any tar reads it. Times and owners are zero, so
// that equal files give equal archives. InvalidArgument for names and sizes that the format cannot
// hold, and for names that would leave the folder they are unpacked in.
[[nodiscard]] Result<std::string> ustarArchive(const std::vector<ArchiveFile>& files);

}  // namespace qs::core
