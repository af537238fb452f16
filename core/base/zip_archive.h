#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/result.h"
#include "core/base/zip_entry.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Untrusted archives]
// The directory of a zip file, read without believing it. Refused are: names that lead anywhere but
// downwards, that are given twice or differ in case alone; links and devices; encryption and
// compressions other than deflate; entries that overlap each other or the directory, or whose own
// header says something else; more than 100,000 entries; and what unpacks to more than 200 times
// its size. Nothing is unpacked but what read() is asked for. Immutable; safe to read from several
// threads.
class ZipArchive final
{
public:
    [[nodiscard]] static Result<ZipArchive> open(const std::filesystem::path& path);

    // In the order of their contents in the file.
    [[nodiscard]] const std::vector<ZipEntry>& entries() const { return m_entries; }
    // Null if there is none of that name.
    [[nodiscard]] const ZipEntry* find(std::string_view name) const;
    // The content of an entry of at most `limitBytes`, with its checksum proved.
    [[nodiscard]] Result<std::string> read(const ZipEntry& entry, std::uint64_t limitBytes) const;
    // Bytes of an entry that is not compressed, which has them; nothing is proved of them.
    [[nodiscard]] Result<std::string> readPart(const ZipEntry& entry, std::uint64_t first,
                                               std::uint64_t bytes) const;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::uint64_t fileBytes() const { return m_fileBytes; }

private:
    ZipArchive(std::filesystem::path path, FileDescriptor file, std::uint64_t fileBytes)
        : m_path(std::move(path)), m_file(std::move(file)), m_fileBytes(fileBytes)
    {
    }
    void index(std::vector<ZipEntry> entries);

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_fileBytes = 0;
    std::vector<ZipEntry> m_entries;
    std::map<std::string, std::size_t, std::less<>> m_byName;
};

// Whether the end of the file, where an archive lists its entries, speaks of that: the whole list
// of an archive made to be slow is not read to find that out.
[[nodiscard]] bool listsEntry(const std::filesystem::path& file, std::string_view part);

}  // namespace qs::core
