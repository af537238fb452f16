#pragma once

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// Walks over the records of a journal file and tells a torn tail (the last append did not finish)
// from damage (a bad line with more lines behind it). Holds at most one line and one chunk of the
// file.
class JournalScanner final
{
public:
    explicit JournalScanner(std::filesystem::path path) : m_path(std::move(path)) {}

    // The next record after the header; nothing at the end or at a torn tail. After an error: the
    // same error again.
    [[nodiscard]] Result<std::optional<Json>> next(const FileDescriptor& file);

    // Bytes up to the end of the last good line; 0 if the file has no header yet.
    [[nodiscard]] std::uint64_t goodBytes() const { return m_goodBytes; }
    // Length of the torn tail; known once next() has returned nothing.
    [[nodiscard]] std::uint64_t tornBytes() const { return m_tornBytes; }
    // Good records so far, the header not counted.
    [[nodiscard]] std::uint64_t records() const { return m_records; }

private:
    struct Line {
        std::string text;        // without the line feed
        bool terminated = false; // it had one
    };

    [[nodiscard]] Result<bool> fill(const FileDescriptor& file);
    [[nodiscard]] Result<std::optional<Line>> nextLine(const FileDescriptor& file);
    [[nodiscard]] Result<std::optional<Json>> scan(const FileDescriptor& file);
    [[nodiscard]] Status checkHeader(const Line& line) const;
    [[nodiscard]] Error damage(const std::string& why) const;
    void accept(const Line& line);

    std::filesystem::path m_path;
    std::string m_buffer; // bytes read, not yet handed out from m_taken on
    std::size_t m_taken = 0;
    std::uint64_t m_readBytes = 0; // file offset of the end of m_buffer
    std::uint64_t m_goodBytes = 0;
    std::uint64_t m_tornBytes = 0;
    std::uint64_t m_records = 0;
    bool m_headerSeen = false;
    bool m_finished = false;
    std::optional<Error> m_error;
};

// The first line of every journal of this version.
[[nodiscard]] const std::string& journalHeaderLine();

} // namespace qs::core
