#include "core/base/file_identity.h"
#include "core/model/safetensors/safetensors.h"

#include <ctime>
#include <map>
#include <mutex>

namespace qs::core {

namespace {

std::mutex g_mutex;
std::map<FileIdentity, std::string>& knownHashes()
{
    static std::map<FileIdentity, std::string> hashes;  // guarded by g_mutex
    return hashes;
}

// File systems stamp times in ticks of some milliseconds: a file that was written just now may be
// written again under the same stamp.
bool isSettled(const FileIdentity& identity)
{
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    constexpr std::int64_t kSettledAfter = 2 * kNanoseconds;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * kNanoseconds + now.tv_nsec - identity.changedAt > kSettledAfter;
}

}  // namespace

Result<std::string> SafetensorsFile::rememberedContentHash() const
{
    QS_TRY(const FileIdentity before, identityOf(m_file, m_path));
    {
        const std::lock_guard lock(g_mutex);
        const auto known = knownHashes().find(before);
        if (known != knownHashes().end())
            return known->second;
    }
    QS_TRY(const std::string hash, contentHash());
    QS_TRY(const FileIdentity after, identityOf(m_file, m_path));
    // Touched meanwhile: right for now, but not to be remembered.
    if (before == after && isSettled(after)) {
        const std::lock_guard lock(g_mutex);
        knownHashes().emplace(before, hash);
    }
    return hash;
}

}  // namespace qs::core
