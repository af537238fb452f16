#include "core/base/bounded_folder.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace qs::core {

namespace fs = std::filesystem;

void keepWithin(const fs::path& folder, const std::vector<std::string>& extensions,
                std::uintmax_t mostBytes)
{
    struct Entry {
        fs::file_time_type used;
        fs::path path;
        std::uintmax_t bytes = 0;
    };
    std::vector<Entry> entries;
    std::uintmax_t bytes = 0;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        std::error_code gone;  // another program may make room, too
        const bool counts = std::find(extensions.begin(), extensions.end(),
                                      each->path().extension().string()) != extensions.end();
        if (!counts || !each->is_regular_file(gone))
            continue;
        Entry entry{each->last_write_time(gone), each->path(), each->file_size(gone)};
        if (gone)
            continue;
        bytes += entry.bytes;
        entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (bytes <= mostBytes)
            return;
        fs::remove(entry.path, error);
        bytes -= entry.bytes;
    }
}

void markUsed(const fs::path& file)
{
    std::error_code ignored;
    fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

}  // namespace qs::core
