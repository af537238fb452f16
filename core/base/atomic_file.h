#pragma once

#include "core/base/files.h"
#include "core/base/open_place.h"
#include "core/base/temporaries.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace qs::core {

// Takes a text piece by piece.
using TextSink = std::function<Status(std::string_view piece)>;

// A file that is written piece by piece and appears whole or not at all: it grows without a name,
// where the file system has such files, else under another name in the same folder, and takes its
// place when it is committed. Removed if it never is, also when a signal ends the program (see
// removeTemporaries()).
class AtomicFile final
{
public:
    [[nodiscard]] static Result<AtomicFile> create(const FilePlace& place, unsigned mode = 0666);
    ~AtomicFile();
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    [[nodiscard]] Status write(std::string_view piece);
    // Replaces what has been written at `offset`.
    [[nodiscard]] Status rewrite(std::uint64_t offset, std::string_view piece);
    [[nodiscard]] std::uint64_t size() const { return m_flushed + m_buffer.size(); }
    [[nodiscard]] TextSink sink();
    // On the disk when it returns without an error, as with writeFileAtomically().
    [[nodiscard]] Status commit();

private:
    AtomicFile(std::filesystem::path path, OpenFolder folder, Temporary temporary,
               FileDescriptor file)
        : m_path(std::move(path)),
          m_folder(std::move(folder)),
          m_temporary(std::move(temporary)),
          m_file(std::move(file))
    {
    }
    [[nodiscard]] Status flush();
    // Makes what the folder holds durable.
    [[nodiscard]] Status syncNames() const;

    std::filesystem::path m_path;
    OpenFolder m_folder;
    Temporary m_temporary;  // its place in it; none while it has no name
    FileDescriptor m_file;
    std::string m_buffer;
    std::uint64_t m_flushed = 0;
};

}  // namespace qs::core
