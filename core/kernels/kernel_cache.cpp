#include "core/kernels/kernel_cache.h"

#include "core/base/atomic_file.h"
#include "core/base/bounded_folder.h"
#include "core/base/files.h"
#include "core/base/sha256.h"

#include <system_error>

namespace qs::core {

namespace {

constexpr std::size_t kHashLength = 64;           // of the code, in front of it
constexpr std::uintmax_t kLargest = 16ULL << 20;  // of one kernel

}  // namespace

std::filesystem::path KernelCache::pathOf(const std::string& key) const
{
    return m_folder / (sha256Hex(key) + m_kind.extension);
}

std::optional<std::string> KernelCache::find(const std::string& key) const
{
    if (m_folder.empty())
        return std::nullopt;
    const auto text = readTextFile(pathOf(key), kLargest);
    if (!text.ok() || text.value().size() <= kHashLength)
        return std::nullopt;
    std::string code = text.value().substr(kHashLength);
    if (sha256Hex(code) != text.value().substr(0, kHashLength))
        return std::nullopt;
    markUsed(pathOf(key));
    return code;
}

void KernelCache::add(const std::string& key, const std::string& code) const
{
    if (m_folder.empty() || !createFolders(m_folder).ok())
        return;
    auto file = AtomicFile::create(pathOf(key));
    if (file.ok() && file.value().write(sha256Hex(code)).ok() && file.value().write(code).ok() &&
        file.value().commit().ok())
        keepWithin(m_folder, {m_kind.extension}, m_kind.mostBytes);
}

}  // namespace qs::core
