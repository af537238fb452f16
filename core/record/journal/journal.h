#pragma once

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/record/journal/journal_scanner.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace qs::core {

inline constexpr int kJournalSchemaVersion = 1;

// Called for each record that is already in the journal, in order; an error ends the opening.
using JournalVisitor = std::function<Status(const Json&)>;

// The append-only journal of a run folder, open for writing by this program alone (flock). A record
// is on the disk when append() returns without an error. For one thread. The text form is described
// in journal_line.h.
class Journal final
{
public:
    // Creates the file with its header, or checks all records and cuts off a torn tail. Errors:
    // Io "another program is writing" · Format for damage before the tail (the file is left as it
    // is; read it with JournalReader) · Unsupported for a newer schema.
    [[nodiscard]] static Result<Journal> open(const FilePlace& place,
                                              const JournalVisitor& visitor = {});

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
    [[nodiscard]] Status recover(const JournalVisitor& visitor);
    [[nodiscard]] Status appendLine(const std::string& line);
    [[nodiscard]] Status rollBack(Error error);

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_goodBytes = 0;
    std::uint64_t m_droppedBytes = 0;
    std::uint64_t m_records = 0;
    bool m_failed = false;
};

// Reads a journal record by record, also while another program writes it. Changes nothing and takes
// no lock.
class JournalReader final
{
public:
    [[nodiscard]] static Result<JournalReader> open(const FilePlace& place);

    // The next record; nothing at the end. A damaged line is an error that names line and byte; the
    // records before it have been handed out by then.
    [[nodiscard]] Result<std::optional<Json>> next();
    // Length of the unfinished tail; known at the end.
    [[nodiscard]] std::uint64_t tornBytes() const { return m_scanner.tornBytes(); }

private:
    JournalReader(const std::filesystem::path& path, FileDescriptor file)
        : m_file(std::move(file)), m_scanner(path)
    {
    }
    FileDescriptor m_file;
    JournalScanner m_scanner;
};

// What a journal holds, as far as it can be read.
struct JournalContent {
    std::vector<Json> records;
    std::uint64_t tornBytes = 0;
    std::optional<Error> damage; // why the records end before the file does
};

// All readable records of a journal, damaged or not: the way to save what a damaged one still
// holds. An error only if the file cannot be opened.
[[nodiscard]] Result<JournalContent> readJournal(const FilePlace& place);

} // namespace qs::core
