#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/file_place.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace qs::core {

// False only if nothing has that name; whatever else is wrong with it is said by opening it.
[[nodiscard]] bool isThere(const FilePlace& place);

// Regular files only: anything else could make the program wait for ever, or fill its memory.
[[nodiscard]] Result<FileDescriptor> openForReading(const FilePlace& place);
// For reading as well; made if absent. Refuses a file with a second name (a hard link), because
// that one would grow with it.
[[nodiscard]] Result<FileDescriptor> openForAppending(const FilePlace& place);
[[nodiscard]] Result<std::uint64_t> fileSize(const FileDescriptor& file,
                                             const std::filesystem::path& path);

// Reads up to buffer.size() bytes from the current position; 0 at the end of the file.
[[nodiscard]] Result<std::size_t> readSome(const FileDescriptor& file, std::span<std::byte> buffer,
                                           const std::filesystem::path& path);
// Fills the whole buffer from `offset`; a file that ends sooner is a Format error.
[[nodiscard]] Status readExactlyAt(const FileDescriptor& file, std::span<std::byte> buffer,
                                   std::uint64_t offset, const std::filesystem::path& path);
[[nodiscard]] Status writeFully(const FileDescriptor& file, std::span<const std::byte> bytes,
                                const std::filesystem::path& path);

// The whole file as text; refuses more than `limitBytes`.
[[nodiscard]] Result<std::string> readTextFile(const FilePlace& place, std::uint64_t limitBytes);

// Temporary file in the same folder, fsync, rename, fsync of the folder: after a power cut there is
// the old file or the new one, never half of one. Errors of fsync are errors here. Replaces regular
// files only. `mode` is that of the file, less what the umask takes away.
[[nodiscard]] Status writeFileAtomically(const FilePlace& place, std::string_view bytes,
                                         unsigned mode = 0666);

// Plain write to a file that exists, for files of the kernel; nothing about it is atomic.
[[nodiscard]] Status writeTextToExisting(const std::filesystem::path& path, std::string_view text);

// Makes names created in `folder` durable.
[[nodiscard]] Status syncFolder(const FilePlace& folder);
// With those above it; of a place inside a folder, that folder must exist.
[[nodiscard]] Status createFolders(const FilePlace& folder);
// No file, or a link, is left under that name; none need have been there.
[[nodiscard]] Status removeFile(const FilePlace& place);

}  // namespace qs::core
