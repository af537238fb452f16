#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

struct z_stream_s;

namespace qs::core {

// The bytes of a journal from where the file is on, packed (its name ends with .gz) or not. For one
// thread; the file outlives it.
class JournalBytes final
{
public:
    // Errors: Io.
    [[nodiscard]] static Result<JournalBytes> of(const FileDescriptor& file,
                                                 const std::filesystem::path& path);

    // Fills the buffer as far as it can, and says how far; 0 at the end, which of packed data is
    // also where they are damaged: all that is before the damage comes. Errors: Io.
    [[nodiscard]] Result<std::size_t> read(std::string& buffer);

    // What is wrong with packed data at their end ("incorrect data check"); empty if nothing is.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    struct End {
        void operator()(z_stream_s* stream) const;
    };

    JournalBytes(const FileDescriptor& file, std::filesystem::path path)
        : m_file(&file), m_path(std::move(path))
    {
    }
    [[nodiscard]] Result<std::size_t> readFile(std::string& buffer);
    [[nodiscard]] Result<bool> refill();
    [[nodiscard]] Status unpackSome();

    const FileDescriptor* m_file;
    std::filesystem::path m_path;
    std::unique_ptr<z_stream_s, End> m_unpacking;
    std::string m_packed;         // what it unpacks
    bool m_betweenParts = false;  // gzip appends one after the other
    bool m_ended = false;
    std::string m_problem;
};

}  // namespace qs::core
