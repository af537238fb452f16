#pragma once

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/record/journal/journal_scanner.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace qs::core {

// A RecordParser for those who do not ask.
[[nodiscard]] RecordTaker ignoreRecord(const JournalRecord& record);

// The append-only journal of a run folder, open for writing by this program alone (flock). A record
// is on the disk when append() returns without an error. For one thread. The text form is described
// in journal_line.h.
class Journal final
{
public:
    // Creates the file with its header, or checks all records and cuts off a torn tail. Errors:
    // Io "another program is writing" · Format for damage before the tail (the file is left as it
    // is; readRecords() reads what is whole) · Unsupported for a newer schema.
    // `parser` gets what is already there.
    [[nodiscard]] static Result<Journal> open(const FilePlace& place,
                                              const RecordParser& parser = ignoreRecord);

    // One write, then fdatasync. After an error the file ends with the record before; after an
    // error of fdatasync nothing more can be appended, because the state of the disk is unknown
    // until the journal is opened again.
    [[nodiscard]] Status append(const Json& record);

    // Io if its file was removed, moved or replaced since: what is appended would be lost.
    [[nodiscard]] Status checkInPlace() const;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // Length of the torn tail that opening cut off; 0 if there was none.
    [[nodiscard]] std::uint64_t droppedBytes() const { return m_droppedBytes; }
    // Records in the file, the header not counted.
    [[nodiscard]] std::uint64_t records() const { return m_records; }

private:
    Journal(std::filesystem::path path, FileDescriptor file)
        : m_path(std::move(path)), m_file(std::move(file))
    {
    }
    [[nodiscard]] Status recover(const RecordParser& parser);
    [[nodiscard]] Status appendLine(const std::string& line);
    [[nodiscard]] Status rollBack(Error error);

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_goodBytes = 0;
    std::uint64_t m_droppedBytes = 0;
    std::uint64_t m_records = 0;
    bool m_failed = false;
};

// What there is to say of a journal that was read.
struct JournalEnd {
    std::uint64_t records = 0;
    std::uint64_t tornBytes = 0;  // length of the unfinished tail
    JournalDamage damage;
};

// Reads the whole records of a journal, those behind damage as well, also while another program
// writes it. Changes nothing and takes no lock. Errors: those of takers, Io, Unsupported for a
// newer schema.
[[nodiscard]] Result<JournalEnd> readRecords(const FilePlace& place, const RecordParser& parser);

// What a journal holds, as far as it can be read.
struct JournalContent {
    std::vector<Json> records;
    std::uint64_t tornBytes = 0;
    JournalDamage damage;
};

// All of a small journal in memory.
[[nodiscard]] Result<JournalContent> readJournal(const FilePlace& place);

}  // namespace qs::core
