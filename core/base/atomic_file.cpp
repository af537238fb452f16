#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

struct NewFile {
    FileDescriptor descriptor;
    Temporary name;  // none while it has none
};

// A file without a name vanishes with the program, whatever ends it. Not every file system has
// them, and giving it a name goes through /proc.
FileDescriptor createNameless(const OpenFolder& folder, unsigned mode)
{
    if (::access("/proc/self/fd", X_OK) != 0)
        return {};
    return FileDescriptor(
        ::openat(folder.descriptor.get(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
}

// Calls `make` with fresh names beside the file at `path`, which is to be replaced, until one is
// free; false, with errno, if that fails. Names are not mkostemp's, which knows no folder but by
// its path.
template <typename Make>
bool underFreshName(const OpenFolder& folder, const fs::path& path, Temporary& place,
                    const Make& make)
{
    constexpr int kAttempts = 100;
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz012345";
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::array<unsigned char, 6> random{};
        if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
            return false;
        std::string name = folder.name + ".";
        for (const unsigned char each : random)
            name += kLetters[each % kLetters.size()];
        place = Temporary(path.parent_path() / name);
        if (make(name.c_str()))
            return true;
        const int reason = errno;
        place.forget();
        errno = reason;
        if (reason != EEXIST)
            return false;
    }
    return false;
}

// Where files need a name. Results are meant to be shared like any other document.
Result<NewFile> createBeside(const OpenFolder& folder, const fs::path& path, unsigned mode)
{
    NewFile made;
    const auto create = [&](const char* name) {
        made.descriptor =
            FileDescriptor(::openat(folder.descriptor.get(), name,
                                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
        return made.descriptor.valid();
    };
    if (!underFreshName(folder, path, made.name, create))
        return ioError("create", path, errno);
    return made;
}

// What is replaced must be a file. A link that the user named as the file is replaced itself, as
// rename does.
Status checkReplaceable(const OpenFolder& folder, const FilePlace& place)
{
    struct stat status {
    };
    if (::fstatat(folder.descriptor.get(), folder.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return {};
    if (S_ISLNK(status.st_mode) && !place.isInside())
        return {};
    if (S_ISLNK(status.st_mode))
        return linkInside(place.path());
    return checkRegular(status, place.path());
}

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const FilePlace& place, unsigned mode)
{
    QS_TRY(OpenFolder folder, openFolderOf(place));
    QS_RETURN_IF_ERROR(checkReplaceable(folder, place));
    NewFile file{createNameless(folder, mode), {}};
    if (!file.descriptor.valid()) {
        QS_TRY(file, createBeside(folder, place.path(), mode));
    }
    return AtomicFile(place.path(), std::move(folder), std::move(file.name),
                      std::move(file.descriptor));
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_folder(std::move(other.m_folder)),
      m_temporary(std::move(other.m_temporary)),
      m_file(std::move(other.m_file)),
      m_buffer(std::move(other.m_buffer)),
      m_flushed(other.m_flushed)
{
}

AtomicFile::~AtomicFile()
{
    if (!m_temporary.path().empty())
        ::unlinkat(m_folder.descriptor.get(), m_temporary.path().filename().c_str(), 0);
}

Status AtomicFile::flush()
{
    QS_RETURN_IF_ERROR(writeFully(m_file, bytesOf(m_buffer), m_path));
    m_flushed += m_buffer.size();
    m_buffer.clear();
    return {};
}

Status AtomicFile::write(std::string_view piece)
{
    if (m_buffer.size() + piece.size() > kBufferBytes)
        QS_RETURN_IF_ERROR(flush());
    if (piece.size() <= kBufferBytes) {
        m_buffer += piece;
        return {};
    }
    QS_RETURN_IF_ERROR(writeFully(m_file, bytesOf(piece), m_path));
    m_flushed += piece.size();
    return {};
}

Status AtomicFile::rewrite(std::uint64_t offset, std::string_view piece)
{
    QS_RETURN_IF_ERROR(flush());
    while (!piece.empty()) {
        const ssize_t count =
            ::pwrite(m_file.get(), piece.data(), piece.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return ioError("write", m_path, errno);
        offset += static_cast<std::uint64_t>(count);
        piece.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

TextSink AtomicFile::sink()
{
    return [this](std::string_view piece) { return write(piece); };
}

Status AtomicFile::commit()
{
    QS_RETURN_IF_ERROR(flush());
    const int inside = m_folder.descriptor.get();
    if (::fsync(m_file.get()) != 0)
        return ioError("sync", m_path, errno);
    const auto giveName = [&, self = "/proc/self/fd/" +
                                     std::to_string(m_file.get())](const char* name) {
        return ::linkat(AT_FDCWD, self.c_str(), inside, name, AT_SYMLINK_FOLLOW) == 0;
    };
    if (m_temporary.path().empty()) {
        // What replaces nothing gets its name in one step.
        if (giveName(m_folder.name.c_str()))
            return syncNames();
        if (errno != EEXIST || !underFreshName(m_folder, m_path, m_temporary, giveName))
            return ioError("replace", m_path, errno);
    }
    if (::renameat(inside, m_temporary.path().filename().c_str(), inside, m_folder.name.c_str()) !=
        0)
        return ioError("replace", m_path, errno);
    m_temporary.forget();
    return syncNames();
}

Status AtomicFile::syncNames() const
{
    // The descriptor of the folder is only good for finding files in it.
    const FileDescriptor directory(
        ::openat(m_folder.descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.valid())
        return ioError("open", m_path.parent_path(), errno);
    if (::fsync(directory.get()) != 0)
        return ioError("sync", m_path.parent_path(), errno);
    return {};
}

Status writeFileAtomically(const FilePlace& place, std::string_view bytes, unsigned mode)
{
    QS_TRY(AtomicFile file, AtomicFile::create(place, mode));
    QS_RETURN_IF_ERROR(file.write(bytes));
    return file.commit();
}

}  // namespace qs::core
