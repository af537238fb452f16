#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/result.h"
#include "core/base/zip_entry.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace qs::core::zip {

// An archive while its directory is read.
struct OpenArchive {
    const FileDescriptor& file;
    const std::filesystem::path& path;
    std::uint64_t bytes = 0;
};

// The entries that the directory names, files only, each with the place that its own header says;
// see Note [Untrusted archives].
[[nodiscard]] Result<std::vector<ZipEntry>> readDirectory(const OpenArchive& archive);

}  // namespace qs::core::zip
