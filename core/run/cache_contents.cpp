#include "core/run/cache_contents.h"

#include <functional>
#include <system_error>

namespace qs::core {

namespace {

namespace fs = std::filesystem;

// A folder that is a link leads to what is not ours.
void forEachFile(const fs::path& folder,
                 const std::function<void(const fs::path&, std::uintmax_t)>& use)
{
    std::error_code error;
    if (fs::symlink_status(folder, error).type() != fs::file_type::directory)
        return;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error))
        entries.push_back(*each);
    for (const fs::directory_entry& entry : entries) {
        std::error_code gone;  // another program may make room, too
        if (entry.symlink_status(gone).type() != fs::file_type::regular)
            continue;
        const std::uintmax_t bytes = entry.file_size(gone);
        if (!gone)
            use(entry.path(), bytes);
    }
}

CacheContents contentsOf(const fs::path& caches, CacheKind kind)
{
    CacheContents contents{.kind = kind, .folder = caches / kCacheKinds.of(kind)};
    forEachFile(contents.folder, [&](const fs::path&, std::uintmax_t bytes) {
        ++contents.files;
        contents.bytes += bytes;
    });
    return contents;
}

}  // namespace

std::vector<CacheContents> cacheContents(const fs::path& caches)
{
    std::vector<CacheContents> all;
    for (const CacheKind kind : kCacheKinds.values())
        all.push_back(contentsOf(caches, kind));
    return all;
}

CacheContents clearCache(const fs::path& caches, CacheKind kind)
{
    CacheContents contents = contentsOf(caches, kind);
    forEachFile(contents.folder, [&](const fs::path& file, std::uintmax_t) {
        std::error_code error;
        fs::remove(file, error);
        contents.remaining += error ? 1 : 0;
    });
    return contents;
}

}  // namespace qs::core
