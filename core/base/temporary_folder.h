#pragma once

#include "core/base/files.h"

#include <filesystem>
#include <string_view>

namespace qs::core {

// A fresh folder under the system's temporary folder, removed with everything in it at the end of
// its life. What a program that was killed has left goes when the next one makes a folder with the
// same prefix: a folder is locked for as long as its program lives, whatever becomes of that.
class TemporaryFolder final
{
public:
    [[nodiscard]] static Result<TemporaryFolder> create(std::string_view prefix);
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    // Of this program, when it has to end without getting to the end of their lives. From any
    // thread; nothing may be made in them meanwhile that matters.
    static void removeAll();

private:
    TemporaryFolder(std::filesystem::path path, FileDescriptor lock);

    std::filesystem::path m_path;
    FileDescriptor m_lock;  // the folder, locked
};

}  // namespace qs::core
