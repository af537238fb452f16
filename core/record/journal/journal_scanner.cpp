#include "core/record/journal/journal_scanner.h"

#include "core/record/journal/journal.h"
#include "core/record/journal/journal_line.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>

namespace qs::core {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{256} << 10U;
constexpr const char* kFormatName = "quantscope-journal";

Json headerRecord()
{
    return {{"format", kFormatName}, {"schema_version", kJournalSchemaVersion}};
}

} // namespace

const std::string& journalHeaderLine()
{
    static const std::string line = encodeJournalLine(headerRecord()).value();
    return line;
}

Error JournalScanner::damage(const std::string& why) const
{
    // The header is line 1.
    const std::uint64_t line = m_records + (m_headerSeen ? 2 : 1);
    return {ErrorCode::Format, m_path.string() + " is damaged at line " + std::to_string(line) +
                                   " (byte " + std::to_string(m_goodBytes) + "): " + why +
                                   "; the " + std::to_string(m_records) +
                                   " records before it are whole and can still be read"};
}

Result<bool> JournalScanner::fill(const FileDescriptor& file)
{
    if (m_taken < m_buffer.size())
        return true;
    m_buffer.resize(kChunkBytes);
    m_taken = 0;
    ssize_t count = -1;
    do {
        count =
            ::pread(file.get(), m_buffer.data(), m_buffer.size(), static_cast<off_t>(m_readBytes));
    } while (count < 0 && errno == EINTR);
    m_buffer.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    if (count < 0)
        return ioError("read", m_path, errno);
    m_readBytes += m_buffer.size();
    return count > 0;
}

Result<std::optional<JournalScanner::Line>> JournalScanner::nextLine(const FileDescriptor& file)
{
    Line line;
    while (true) {
        QS_TRY(const bool more, fill(file));
        if (!more)
            break;
        const std::size_t feed = m_buffer.find('\n', m_taken);
        line.terminated = feed != std::string::npos;
        const std::size_t end = line.terminated ? feed : m_buffer.size();
        line.text.append(m_buffer, m_taken, end - m_taken);
        m_taken = line.terminated ? end + 1 : end;
        // No append of ours writes such a line, so it is no torn tail either.
        if (line.text.size() > kMaximumRecordBytes + kLineOverheadBytes)
            return damage("the line is longer than any record");
        if (line.terminated)
            return std::optional<Line>(std::move(line));
    }
    if (line.text.empty())
        return std::optional<Line>();
    return std::optional<Line>(std::move(line));
}

Status JournalScanner::checkHeader(const Line& line) const
{
    const Error foreign{ErrorCode::Format, m_path.string() + " is not a journal of QuantScope"};
    // A torn header is cut off without having been followed by anything; any other beginning is
    // somebody else's file, which must not be truncated.
    if (!line.terminated)
        return journalHeaderLine().starts_with(line.text) ? Status() : Status(foreign);
    const auto header = decodeJournalLine(line.text);
    if (!header.ok())
        return foreign;
    const Json& record = header.value();
    if (!record.is_object() || record.value("format", Json()) != kFormatName ||
        !record.value("schema_version", Json()).is_number_integer())
        return foreign;
    if (record["schema_version"] > kJournalSchemaVersion)
        return Error{ErrorCode::Unsupported,
                     m_path.string() + " was written by a newer QuantScope (journal version " +
                         jsonText(record["schema_version"]) + ", this program knows " +
                         std::to_string(kJournalSchemaVersion) + ")"};
    return record == headerRecord() ? Status() : Status(foreign);
}

void JournalScanner::accept(const Line& line)
{
    m_goodBytes += line.text.size() + 1;
    if (m_headerSeen)
        ++m_records;
    m_headerSeen = true;
}

Result<std::optional<Json>> JournalScanner::next(const FileDescriptor& file)
{
    if (m_error)
        return *m_error;
    if (m_finished)
        return std::optional<Json>();
    auto result = scan(file);
    if (!result.ok())
        m_error = result.error();
    else
        m_finished = !result.value().has_value();
    return result;
}

Result<std::optional<Json>> JournalScanner::scan(const FileDescriptor& file)
{
    while (true) {
        QS_TRY(const std::optional<Line> line, nextLine(file));
        if (!line)
            return std::optional<Json>();
        if (!m_headerSeen)
            QS_RETURN_IF_ERROR(checkHeader(*line));
        if (!m_headerSeen && line->terminated) {
            accept(*line);
            continue;
        }
        if (line->terminated) {
            auto record = decodeJournalLine(line->text);
            if (record.ok()) {
                accept(*line);
                return std::optional<Json>(std::move(record).value());
            }
            // Damage further up is never a torn append: what follows would be lost as well.
            QS_TRY(const bool more, fill(file));
            if (more || !mayBeTornAppend(line->text, true))
                return damage(record.error().message);
        } else if (m_headerSeen && !mayBeTornAppend(line->text, false)) {
            return damage("it is neither a record nor the beginning of one");
        }
        m_tornBytes = line->text.size() + (line->terminated ? 1 : 0);
        return std::optional<Json>();
    }
}

} // namespace qs::core
