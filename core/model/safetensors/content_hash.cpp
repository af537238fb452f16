#include "core/model/safetensors/safetensors.h"

#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <map>
#include <mutex>
#include <tuple>

namespace qs::core {

namespace {

// Device, inode, size and the time of the last change in nanoseconds. The latter is ctime: unlike
// mtime, no program can set it back after a change.
using Identity = std::tuple<dev_t, ino_t, off_t, std::int64_t>;

std::mutex g_mutex;
std::map<Identity, std::string>& knownHashes()
{
    static std::map<Identity, std::string> hashes;  // guarded by g_mutex
    return hashes;
}

constexpr std::int64_t kNanoseconds = 1'000'000'000;

// File systems stamp times in ticks of some milliseconds: a file that was written just now may be
// written again under the same stamp.
bool isSettled(const Identity& identity)
{
    constexpr std::int64_t kSettledAfter = 2 * kNanoseconds;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * kNanoseconds + now.tv_nsec - std::get<3>(identity) > kSettledAfter;
}

Result<Identity> identityOf(const FileDescriptor& file, const std::filesystem::path& path)
{
    struct stat status {
    };
    if (::fstat(file.get(), &status) != 0)
        return ioError("inspect", path, errno);
    return Identity{status.st_dev, status.st_ino, status.st_size,
                    status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec};
}

}  // namespace

Result<std::string> SafetensorsFile::rememberedContentHash() const
{
    QS_TRY(const Identity before, identityOf(m_file, m_path));
    {
        const std::lock_guard lock(g_mutex);
        const auto known = knownHashes().find(before);
        if (known != knownHashes().end())
            return known->second;
    }
    QS_TRY(const std::string hash, contentHash());
    QS_TRY(const Identity after, identityOf(m_file, m_path));
    // Touched meanwhile: right for now, but not to be remembered.
    if (before == after && isSettled(after)) {
        const std::lock_guard lock(g_mutex);
        knownHashes().emplace(before, hash);
    }
    return hash;
}

}  // namespace qs::core
