#include "core/record/journal/journal_scanner.h"

#include "core/base/json.h"
#include "core/base/parallel.h"
#include "core/base/schema_version.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace qs::core {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{256} << 10U;
// Enough that threads are worth their start, little beside the records that come of it.
constexpr std::size_t kBatchBytes = std::size_t{4} << 20U;
constexpr const char* kFormatName = "quantscope-journal";

const Json& headerRecord()
{
    static const Json header{{"format", kFormatName}, {"schema_version", kJournalSchemaVersion}};
    return header;
}

}  // namespace

const std::string& journalHeaderLine()
{
    static const std::string line = encodeJournalLine(headerRecord()).value();
    return line;
}

Result<bool> JournalScanner::fill(JournalBytes& file)
{
    if (m_taken < m_buffer.size())
        return true;
    // What another program appends from then on must not be taken for the rest of a torn tail.
    if (m_atEnd)
        return false;
    m_buffer.resize(kChunkBytes);
    m_taken = 0;
    const Result<std::size_t> count = file.read(m_buffer);
    m_buffer.resize(count.ok() ? count.value() : 0);
    QS_RETURN_IF_ERROR(count);
    m_atEnd = m_buffer.empty();
    return !m_atEnd;
}

Result<JournalScanner::Line> JournalScanner::nextLine(JournalBytes& file)
{
    Line line;
    while (!line.terminated) {
        QS_TRY(const bool more, fill(file));
        if (!more)
            break;
        const std::size_t feed = m_buffer.find('\n', m_taken);
        line.terminated = feed != std::string::npos;
        const std::size_t end = line.terminated ? feed : m_buffer.size();
        if (!line.tooLong)
            line.text.append(m_buffer, m_taken, end - m_taken);
        line.bytes += end - m_taken + (line.terminated ? 1 : 0);
        m_taken = line.terminated ? end + 1 : end;
        if (line.text.size() > kMaximumRecordBytes + kLineOverheadBytes) {
            line.tooLong = true;
            line.text = {};
        }
    }
    return line;
}

Result<std::vector<JournalScanner::Line>> JournalScanner::nextLines(JournalBytes& file)
{
    std::vector<Line> lines;
    std::size_t bytes = 0;
    while (bytes < kBatchBytes) {
        QS_TRY(Line line, nextLine(file));
        if (line.bytes == 0)
            break;
        bytes += line.text.size() + sizeof line;
        lines.push_back(std::move(line));
    }
    return lines;
}

JournalScanner::Content JournalScanner::contentOf(const JournalRecord& record) const
{
    const JsonView content = record.json.root();
    if (!content.member("format"))
        return m_parser(record);
    const Json header = content.json();
    if (header == headerRecord())
        return Header{};
    if (content.member("format")->text() == kFormatName) {
        if (const Status fits = checkSchemaVersion(content, kJournalSchemaVersion); !fits.ok())
            return fits.error().within(m_path.string());
    }
    return m_parser(record);
}

JournalScanner::Content JournalScanner::contentOf(const Line& line) const
{
    if (line.tooLong)
        return Bad{"it is longer than any record"};
    auto record = decodeJournalLine(line.text);
    if (!record.ok())
        return Bad{record.error().message};
    if (!line.terminated)
        return Bad{"it has no line feed"};
    return contentOf(record.value());
}

bool JournalScanner::isTorn(const Line& line) const
{
    if (line.tooLong)
        return false;
    // A torn header is followed by nothing; any other beginning is somebody else's file.
    if (m_lines == 1)
        return !line.terminated && journalHeaderLine().starts_with(line.text);
    return mayBeTornAppend(line.text, line.terminated);
}

Status JournalScanner::accept(Content& content)
{
    if (std::holds_alternative<Header>(content)) {
        m_headerSeen = true;
        return {};
    }
    if (const Error* error = std::get_if<Error>(&content))
        return *error;
    ++m_records;
    return std::get<RecordTaker>(content)();
}

// What lies between the records that are whole nevertheless is the damage.
Status JournalScanner::passOver(const Line& line)
{
    if (m_damage.lines == 0) {
        m_damage.firstLine = m_lines;
        m_damage.firstByte = m_goodBytes;
        m_damage.firstProblem = std::get<Bad>(line.content).problem;
    }
    ++m_damage.lines;
    m_damage.bytes += line.bytes;
    for (const std::string_view record : recordsWithin(line.text)) {
        m_damage.bytes -= record.size();
        Content content = contentOf(decodeJournalLine(record).value());
        QS_RETURN_IF_ERROR(accept(content));
    }
    return {};
}

void JournalScanner::endWith(const std::string& problem)
{
    if (m_damage.lines == 0) {
        m_damage.firstLine = m_lines + (m_tornBytes > 0 ? 0 : 1);
        m_damage.firstByte = m_goodBytes;
        m_damage.firstProblem = problem;
    }
    ++m_damage.lines;
    m_damage.bytes += std::exchange(m_tornBytes, 0);
}

Status JournalScanner::take(Line& line, bool isLast)
{
    ++m_lines;
    const bool bad = std::holds_alternative<Bad>(line.content);
    if (bad && isLast && isTorn(line)) {
        m_tornBytes = line.bytes;
        return {};
    }
    QS_RETURN_IF_ERROR(bad ? passOver(line) : accept(line.content));
    m_goodBytes += line.bytes;
    return {};
}

Status JournalScanner::takeAndRead(std::vector<Line>& lines, bool last, JournalBytes& file,
                                   std::vector<Line>& next)
{
    for (Line& line : lines)
        QS_RETURN_IF_ERROR(take(line, last && &line == &lines.back()));
    lines.clear();
    QS_TRY(next, nextLines(file));
    return {};
}

Status JournalScanner::scan(const FileDescriptor& file)
{
    QS_TRY(JournalBytes bytes, JournalBytes::of(file, m_path));
    std::vector<Line> seen;
    QS_TRY(std::vector<Line> read, nextLines(bytes));
    while (!seen.empty() || !read.empty()) {
        // While the lines that were read are looked at, one thread takes those of before and reads
        // the next ones.
        std::vector<Line> next;
        Status status;
        inParallel(1 + read.size(), [&](std::size_t i) {
            if (i == 0)
                status = takeAndRead(seen, read.empty(), bytes, next);
            else
                read[i - 1].content = contentOf(read[i - 1]);
        });
        QS_RETURN_IF_ERROR(status);
        seen = std::exchange(read, std::move(next));
    }
    if (!bytes.problem().empty())
        endWith(bytes.problem());
    m_damage.headerMissing = !m_headerSeen && m_goodBytes > 0;
    return {};
}

}  // namespace qs::core
