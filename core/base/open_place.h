#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/file_place.h"

#include <sys/stat.h>

namespace qs::core {

// A file is reached through its folder, so that nothing can be put between looking and opening.
struct OpenFolder {
    FileDescriptor descriptor;
    std::string name;  // of the file in it
};

// Says that this is a link where none is followed.
[[nodiscard]] Error linkInside(const std::filesystem::path& path);

// The folder that holds the place. Errors name the link, if there is one below a folder that is not
// to be left.
[[nodiscard]] Result<OpenFolder> openFolderOf(const FilePlace& place);

// open(2) of the place with O_CLOEXEC and, inside a folder, without following links.
[[nodiscard]] Result<FileDescriptor> openPlace(const FilePlace& place, int flags,
                                               unsigned mode = 0);

// Regular files only; `path` is for the message.
[[nodiscard]] Status checkRegular(const struct stat& status, const std::filesystem::path& path);

}  // namespace qs::core
