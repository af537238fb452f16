#include "core/base/file_descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace qs::core {

namespace {

// Faults of what was asked for, not of the disk.
bool isUsageFault(int errorNumber)
{
    switch (errorNumber) {
    case EACCES:
    case EPERM:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENOTDIR:
    case EROFS:
        return true;
    default:
        return false;
    }
}

// A message stays one sentence, however long the name is that it tells of.
std::string shortened(const std::string& name)
{
    constexpr std::size_t kMost = 600;
    return name.size() <= kMost
               ? name
               : name.substr(0, kMost / 2) + "…" + name.substr(name.size() - kMost / 2);
}

}  // namespace

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

Error ioError(std::string_view action, const std::filesystem::path& path, int errorNumber)
{
    const ErrorCode code = errorNumber == ENOENT       ? ErrorCode::NotFound
                           : isUsageFault(errorNumber) ? ErrorCode::InvalidArgument
                                                       : ErrorCode::Io;
    return {code, "cannot " + std::string(action) + " " + shortened(path.string()) + ": " +
                      systemMessage(errorNumber)};
}

}  // namespace qs::core
