#pragma once

#include "core/base/atomic_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace qs::core {

// Writes a tar archive in the ustar format (POSIX.1-1988) piece by piece: any tar reads it. Times
// and owners are zero, so that equal files give equal archives. InvalidArgument for names and sizes
// that the format cannot hold, and for names that would leave the folder they are unpacked in.
class UstarWriter final
{
public:
    // `file` must outlive the writer.
    explicit UstarWriter(AtomicFile& file) : m_file(file) {}

    // Begins the next file; `name` is relative, at most 100 bytes.
    [[nodiscard]] Status begin(const std::string& name);
    [[nodiscard]] Status write(std::string_view piece) { return m_file.write(piece); }
    // Ends the file that was begun.
    [[nodiscard]] Status end();
    // Ends the archive; the caller commits it.
    [[nodiscard]] Status finish();

private:
    AtomicFile& m_file;
    std::string m_name;
    std::uint64_t m_header = 0;  // where that of the file at hand lies
};

}  // namespace qs::core
