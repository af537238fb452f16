#pragma once

#include "core/base/files.h"
#include "core/base/temporaries.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace qs::core {

// A fresh folder under the system's temporary folder, removed with everything in it at the end of
// its life. What a program that was killed has left goes when the next one makes a folder with the
// same prefix: a folder is locked for as long as its program lives, whatever becomes of that.
class TemporaryFolder final
{
public:
    [[nodiscard]] static Result<TemporaryFolder> create(std::string_view prefix);
    // The same in a folder of the caller's choice: in the file system of what is made there.
    [[nodiscard]] static Result<TemporaryFolder> createIn(const std::filesystem::path& base,
                                                          std::string_view prefix);
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&&) noexcept = default;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }

private:
    TemporaryFolder(Temporary folder, FileDescriptor lock)
        : m_folder(std::move(folder)), m_lock(std::move(lock))
    {
    }

    Temporary m_folder;
    FileDescriptor m_lock;  // the folder, locked
};

}  // namespace qs::core
