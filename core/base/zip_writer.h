#pragma once

#include "core/base/atomic_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Writes a zip archive of stored entries, as PyTorch's are: nothing is compressed, contents begin
// at multiples of 64 bytes, so that they can be mapped, and beyond 4 GiB the ZIP64 fields are used.
// The same entries give the same bytes. The file appears whole or not at all.
class ZipWriter final
{
public:
    // Gives the content of an entry to its argument piece by piece.
    using Content = std::function<Status(const TextSink&)>;

    [[nodiscard]] static Result<ZipWriter> create(const FilePlace& place);

    // Names are relative paths with slashes; each is written once.
    [[nodiscard]] Status add(const std::string& name, std::string_view content);
    // `content` must give exactly so many bytes.
    [[nodiscard]] Status add(const std::string& name, std::uint64_t bytes, const Content& content);
    // Writes the directory and gives the file its name.
    [[nodiscard]] Status commit();

private:
    struct Entry {
        std::string name;
        std::uint64_t offset = 0;  // of the local header
        std::uint64_t bytes = 0;
        std::uint32_t checksum = 0;
    };

    explicit ZipWriter(AtomicFile file) : m_file(std::move(file)) {}
    [[nodiscard]] Status writeDirectory();

    AtomicFile m_file;
    std::vector<Entry> m_entries;
};

}  // namespace qs::core
