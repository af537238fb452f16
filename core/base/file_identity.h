#pragma once

#include "core/base/file_place.h"
#include "core/base/files.h"

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <filesystem>

namespace qs::core {

// Which file this is and in what state: as long as it stays equal, nothing was written into the
// file and none was put in its place.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    off_t bytes = 0;
    // ctime, ns since 1970: unlike mtime, no program can set it back after a change.
    std::int64_t changedAt = 0;

    friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

// `path` is for the message of an error. Io.
[[nodiscard]] Result<FileIdentity> identityOf(const FileDescriptor& file,
                                              const std::filesystem::path& path);
[[nodiscard]] Result<FileIdentity> identityOf(const FilePlace& place);

}  // namespace qs::core
