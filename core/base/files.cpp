#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

FileDescriptor::~FileDescriptor()
{
    if (valid())
        ::close(m_descriptor);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : m_descriptor(other.release()) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept
{
    if (this != &other) {
        if (valid())
            ::close(m_descriptor);
        m_descriptor = other.release();
    }
    return *this;
}

int FileDescriptor::release()
{
    return std::exchange(m_descriptor, -1);
}

std::string systemMessage(int errorNumber)
{
    return std::generic_category().message(errorNumber);
}

Error ioError(std::string_view action, const fs::path& path, int errorNumber)
{
    const ErrorCode code = errorNumber == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
    return {code, "cannot " + std::string(action) + " " + path.string() + ": " +
                      systemMessage(errorNumber)};
}

Result<FileDescriptor> openForReading(const fs::path& path)
{
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid())
        return ioError("open", path, errno);
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + " is a folder, not a file"};
    return file;
}

Result<std::uint64_t> fileSize(const FileDescriptor& file, const fs::path& path)
{
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    return static_cast<std::uint64_t>(status.st_size);
}

Result<std::size_t> readSome(const FileDescriptor& file, std::span<std::byte> buffer,
                             const fs::path& path)
{
    while (true) {
        const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
        if (count >= 0)
            return static_cast<std::size_t>(count);
        if (errno != EINTR)
            return ioError("read", path, errno);
    }
}

Status readExactlyAt(const FileDescriptor& file, std::span<std::byte> buffer, std::uint64_t offset,
                     const fs::path& path)
{
    std::size_t done = 0;
    while (done < buffer.size()) {
        const ssize_t count = ::pread(file.get(), buffer.data() + done, buffer.size() - done,
                                      static_cast<off_t>(offset + done));
        if (count == 0)
            return Error{ErrorCode::Format, path.string() + " ends at byte " +
                                                std::to_string(offset + done) + ", but " +
                                                std::to_string(buffer.size() - done) +
                                                " more bytes were announced"};
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return ioError("read", path, errno);
        }
        done += static_cast<std::size_t>(count);
    }
    return {};
}

Status writeFully(const FileDescriptor& file, std::span<const std::byte> bytes,
                  const fs::path& path)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return ioError("write", path, errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

Result<std::string> readTextFile(const fs::path& path, std::uint64_t limitBytes)
{
    QS_TRY(const FileDescriptor file, openForReading(path));
    // The limit is checked on what is read, not on the size: pipes and /proc files report none.
    std::string text;
    std::string chunk(std::size_t{1} << 16U, '\0');
    while (true) {
        QS_TRY(const std::size_t count,
               readSome(file, std::as_writable_bytes(std::span(chunk)), path));
        if (count == 0)
            return text;
        text.append(chunk, 0, count);
        if (text.size() > limitBytes)
            return Error{ErrorCode::Format, path.string() + " is larger than the limit of " +
                                                std::to_string(limitBytes) + " bytes"};
    }
}

Status syncFolder(const fs::path& folder)
{
    const FileDescriptor directory(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.valid())
        return ioError("open", folder, errno);
    if (::fsync(directory.get()) != 0)
        return ioError("sync", folder, errno);
    return {};
}

Status writeFileAtomically(const fs::path& path, std::string_view bytes)
{
    std::string temporary = path.string() + ".XXXXXX";
    FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.valid())
        return ioError("create", temporary, errno);
    const auto abandon = [&](Error error) -> Status {
        ::unlink(temporary.c_str());
        return error;
    };
    // mkostemp makes private files; results are meant to be shared like any other document.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file.get(), 0666 & ~mask) != 0)
        return abandon(ioError("set the mode of", temporary, errno));
    if (const Status status =
            writeFully(file, std::as_bytes(std::span(bytes.data(), bytes.size())), temporary);
        !status.ok())
        return abandon(status.error());
    if (::fsync(file.get()) != 0)
        return abandon(ioError("sync", temporary, errno));
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return abandon(ioError("replace", path, errno));
    return syncFolder(path.parent_path());
}

Status writeTextToExisting(const fs::path& path, std::string_view text)
{
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid())
        return ioError("open", path, errno);
    return writeFully(file, std::as_bytes(std::span(text.data(), text.size())), path);
}

Status createFolders(const fs::path& folder)
{
    std::error_code code;
    fs::create_directories(folder, code);
    if (code)
        return ioError("create folder", folder, code.value());
    return {};
}

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix)
{
    std::error_code code;
    const fs::path base = fs::temp_directory_path(code);
    if (code)
        return Error{ErrorCode::Io, "no temporary folder: " + code.message()};
    std::string name = (base / (std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        return ioError("create folder", name, errno);
    return TemporaryFolder(fs::path(name));
}

TemporaryFolder::~TemporaryFolder()
{
    if (m_path.empty())
        return;
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

} // namespace qs::core
