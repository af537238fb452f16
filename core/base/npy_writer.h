#pragma once

#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/base/open_place.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Writes a .npy file entry by entry, so that only one of them has to be in memory. The file stands
// under its name once finish() has returned, whole and durable; until then its name ends with
// `unfinished`. That file goes with the object, or with the next writer if this program is killed:
// one writer at a time.
class NpyWriter final
{
public:
    // `entry`: the shape of one entry; the array has one dimension more.
    [[nodiscard]] static Result<NpyWriter> create(const FilePlace& place,
                                                  std::vector<std::int64_t> entry,
                                                  const std::string& unfinished = ".part");
    ~NpyWriter();
    NpyWriter(NpyWriter&& other) noexcept;
    NpyWriter& operator=(NpyWriter&&) = delete;
    NpyWriter(const NpyWriter&) = delete;
    NpyWriter& operator=(const NpyWriter&) = delete;

    // The values of the next entry. Slow disks are waited for in small pieces; Cancelled when
    // stopped, and then the array cannot be finished.
    [[nodiscard]] Status append(std::span<const float> values, const std::stop_token& stop = {});
    [[nodiscard]] Status finish();

private:
    NpyWriter(std::filesystem::path path, OpenFolder folder, std::vector<std::int64_t> entry)
        : m_path(std::move(path)), m_folder(std::move(folder)), m_entry(std::move(entry))
    {
    }

    std::filesystem::path m_path;  // for messages
    OpenFolder m_folder;
    std::string m_unfinished;  // name in the folder; empty when there is none any more
    FileDescriptor m_file;
    std::vector<std::int64_t> m_entry;
    std::int64_t m_count = 0;
    bool m_whole = true;
};

}  // namespace qs::core
