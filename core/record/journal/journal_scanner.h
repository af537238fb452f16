#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/record/journal/journal_bytes.h"
#include "core/record/journal/journal_damage.h"
#include "core/record/journal/journal_line.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace qs::core {

inline constexpr int kJournalSchemaVersion = 1;

// What is to be done with a record: it is looked at on any thread, several at a time, and what
// comes back is called in the order of the records, one at a time. An error ends the scan.
using RecordTaker = std::function<Status()>;
using RecordParser = std::function<RecordTaker(const JournalRecord& record)>;

// Walks over the records of a journal file. A torn tail (the last append did not finish) ends them;
// damage (anything else that is no record) is counted and passed over: every line vouches for
// itself. The rest of a packed file behind damaged data is one such line. Holds some megabytes of
// lines.
class JournalScanner final
{
public:
    JournalScanner(std::filesystem::path path, RecordParser parser)
        : m_path(std::move(path)), m_parser(std::move(parser))
    {
    }

    // All of the file. Errors: those of the takers, Io, and Unsupported for a newer schema.
    [[nodiscard]] Status scan(const FileDescriptor& file);

    // What was passed over.
    [[nodiscard]] const JournalDamage& damage() const { return m_damage; }
    // Bytes up to the torn tail, unpacked; 0 if the file has no line yet.
    [[nodiscard]] std::uint64_t goodBytes() const { return m_goodBytes; }
    [[nodiscard]] std::uint64_t tornBytes() const { return m_tornBytes; }
    // Good records, the header not counted.
    [[nodiscard]] std::uint64_t records() const { return m_records; }

private:
    struct Header {
    };
    struct Bad {
        std::string problem;
    };
    // A record is an error if it is of a newer program.
    using Content = std::variant<Bad, Header, Error, RecordTaker>;
    struct Line {
        std::string text;         // without the line feed; empty if `tooLong`
        std::uint64_t bytes = 0;  // with the line feed
        bool terminated = false;  // it had one
        bool tooLong = false;     // for any record
        Content content;
    };

    [[nodiscard]] Result<bool> fill(JournalBytes& file);
    // The next lines, some megabytes of them; none at the end.
    [[nodiscard]] Result<std::vector<Line>> nextLines(JournalBytes& file);
    [[nodiscard]] Result<Line> nextLine(JournalBytes& file);
    [[nodiscard]] Content contentOf(const Line& line) const;
    [[nodiscard]] Content contentOf(const JournalRecord& record) const;
    // Takes lines, with which the file ends if they are the `last`, and reads those of `next`.
    [[nodiscard]] Status takeAndRead(std::vector<Line>& lines, bool last, JournalBytes& file,
                                     std::vector<Line>& next);
    [[nodiscard]] Status take(Line& line, bool isLast);
    [[nodiscard]] Status accept(Content& content);
    [[nodiscard]] bool isTorn(const Line& line) const;
    [[nodiscard]] Status passOver(const Line& line);
    // What lies behind is lost.
    void endWith(const std::string& problem);

    std::filesystem::path m_path;
    RecordParser m_parser;
    std::string m_buffer;  // bytes read, not yet handed out from m_taken on
    std::size_t m_taken = 0;
    bool m_atEnd = false;
    std::uint64_t m_goodBytes = 0;
    std::uint64_t m_tornBytes = 0;
    std::uint64_t m_lines = 0;  // so far, with the one at hand
    std::uint64_t m_records = 0;
    JournalDamage m_damage;
    bool m_headerSeen = false;
};

// The first line of every journal of this version.
[[nodiscard]] const std::string& journalHeaderLine();

}  // namespace qs::core
