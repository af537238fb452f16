#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace qs::core {

// Owns one POSIX file descriptor; -1 means none.
class FileDescriptor final
{
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int descriptor) : m_descriptor(descriptor) {}
    ~FileDescriptor();
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;

    [[nodiscard]] int get() const { return m_descriptor; }
    [[nodiscard]] bool valid() const { return m_descriptor >= 0; }
    [[nodiscard]] int release();

private:
    int m_descriptor = -1;
};

// Text of an errno value.
[[nodiscard]] std::string systemMessage(int errorNumber);
[[nodiscard]] Error ioError(std::string_view action, const std::filesystem::path& path,
                            int errorNumber);

}  // namespace qs::core
