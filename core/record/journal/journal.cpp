#include "core/record/journal/journal.h"

#include "core/base/still_named.h"
#include "core/record/journal/journal_line.h"

#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace qs::core {

namespace {

// Only one program may write it.
Result<FileDescriptor> openAndLock(const FilePlace& place)
{
    const std::filesystem::path& path = place.path();
    QS_TRY(FileDescriptor file, openForAppending(place));
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return Error{ErrorCode::Io, "another program is writing " + path.string()};
        return ioError("lock", path, errno);
    }
    return file;
}

Error damageError(const std::filesystem::path& path, const JournalScanner& scanner)
{
    const std::string whole = std::to_string(scanner.records()) + " complete records are in it";
    if (scanner.damage().headerMissing && scanner.records() == 0)
        return {ErrorCode::Format, path.string() + " is not a QuantScope journal"};
    return {ErrorCode::Format,
            path.string() + " is damaged: " + damageText(scanner.damage()) + "; " + whole};
}

}  // namespace

Result<Journal> Journal::open(const FilePlace& place, const RecordParser& parser)
{
    QS_TRY(FileDescriptor file, openAndLock(place));
    Journal journal(place.path(), std::move(file));
    QS_RETURN_IF_ERROR(journal.recover(parser));
    return journal;
}

Status Journal::recover(const RecordParser& parser)
{
    JournalScanner scanner(m_path, parser);
    QS_RETURN_IF_ERROR(scanner.scan(m_file));
    if (scanner.damage().any())
        return damageError(m_path, scanner);
    m_goodBytes = scanner.goodBytes();
    m_records = scanner.records();
    m_droppedBytes = scanner.tornBytes();
    if (m_droppedBytes > 0) {
        if (::ftruncate(m_file.get(), static_cast<off_t>(m_goodBytes)) != 0)
            return ioError("cut off the incomplete end of", m_path, errno);
        if (::fdatasync(m_file.get()) != 0)
            return ioError("sync", m_path, errno);
    }
    if (m_goodBytes > 0)
        return {};
    QS_RETURN_IF_ERROR(appendLine(journalHeaderLine()));
    return syncFolder(m_path.parent_path());
}

Status Journal::append(const Json& record)
{
    if (m_failed)
        return Error{
            ErrorCode::Io,
            m_path.string() +
                ": an earlier record could not be written durably; open the journal again"};
    auto line = encodeJournalLine(record);
    if (!line.ok())
        return line.error().within("cannot append to " + m_path.string());
    QS_RETURN_IF_ERROR(appendLine(line.value()));
    ++m_records;
    return {};
}

Status Journal::checkInPlace() const
{
    if (!stillNamed(m_file, m_path))
        return Error{ErrorCode::Io,
                     m_path.string() + " was removed, moved or replaced by another program"};
    return {};
}

Status Journal::appendLine(const std::string& line)
{
    QS_RETURN_IF_ERROR(checkInPlace());
    QS_TRY(const std::uint64_t size, fileSize(m_file, m_path));
    if (size != m_goodBytes)
        return Error{ErrorCode::Io, m_path.string() + " was changed by another program: it has " +
                                        std::to_string(size) + " bytes instead of " +
                                        std::to_string(m_goodBytes)};
    ssize_t count = -1;
    do {
        count = ::write(m_file.get(), line.data(), line.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return rollBack(ioError("append to", m_path, errno));
    if (static_cast<std::size_t>(count) != line.size())
        return rollBack(
            {ErrorCode::Io, "cannot append to " + m_path.string() + ": only " +
                                std::to_string(count) + " of " + std::to_string(line.size()) +
                                " bytes were written (disk full, quota or size limit)"});
    if (::fdatasync(m_file.get()) != 0) {
        const Error error = ioError("sync", m_path, errno);
        // Not to be tried again: the kernel may have dropped the pages that it could not write.
        m_failed = true;
        return rollBack(error);
    }
    m_goodBytes += line.size();
    return {};
}

Status Journal::rollBack(Error error)
{
    if (::ftruncate(m_file.get(), static_cast<off_t>(m_goodBytes)) != 0) {
        m_failed = true;
        error.message += "; the unfinished record could not be removed: " + systemMessage(errno);
    }
    return error;
}

RecordTaker ignoreRecord(const JournalRecord&)
{
    return [] { return Status(); };
}

Result<JournalEnd> readRecords(const FilePlace& place, const RecordParser& parser)
{
    QS_TRY(const FileDescriptor file, openForReading(place));
    JournalScanner scanner(place.path(), parser);
    QS_RETURN_IF_ERROR(scanner.scan(file));
    return JournalEnd{scanner.records(), scanner.tornBytes(), scanner.damage()};
}

Result<JournalContent> readJournal(const FilePlace& place)
{
    JournalContent content;
    const auto keep = [&](const JournalRecord& record) -> RecordTaker {
        return [&, json = record.json.root().json()]() mutable {
            content.records.push_back(std::move(json));
            return Status();
        };
    };
    QS_TRY(const JournalEnd end, readRecords(place, keep));
    content.tornBytes = end.tornBytes;
    content.damage = end.damage;
    return content;
}

}  // namespace qs::core
