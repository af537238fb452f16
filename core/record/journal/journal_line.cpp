#include "core/record/journal/journal_line.h"

#include "core/base/clean_text.h"
#include "core/base/json.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <charconv>
#include <optional>

namespace qs::core {

namespace {

constexpr JsonLimits kRecordLimits{.bytes = kMaximumRecordBytes,
                                   .depth = 64,
                                   .nodes = 4'000'000,
                                   .stringBytes = kMaximumRecordBytes};
constexpr std::size_t kChecksumDigits = 8;
constexpr std::size_t kMostDigits = 8;  // of a length
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string checksumOf(std::string_view text)
{
    unsigned long sum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
    std::string digits(kChecksumDigits, '0');
    for (std::size_t i = kChecksumDigits; i-- > 0; sum >>= 4U)
        digits[i] = kHexDigits[sum & 15U];
    return digits;
}

Error badLine(const std::string& why)
{
    return {ErrorCode::Format, why};
}

// The length at the beginning of a line; nothing if it is none of ours.
std::optional<std::size_t> lengthFrom(std::string_view digits)
{
    std::size_t length = 0;
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, length);
    if (digits.empty() || digits.front() == '0' || error != std::errc() || end != last ||
        length > kMaximumRecordBytes)
        return std::nullopt;
    return length;
}

// Whether a text begins with a checksum and the space behind it.
bool hasChecksum(std::string_view text)
{
    return text.size() > kChecksumDigits && text[kChecksumDigits] == ' ' &&
           text.substr(0, kChecksumDigits).find_first_not_of(kHexDigits) == std::string_view::npos;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

}  // namespace

Result<std::string> encodeJournalLine(const Json& record)
{
    std::string text;
    try {
        text = record.dump();
    } catch (const nlohmann::json::exception&) {
        return Error{ErrorCode::InvalidArgument, "a record has text that is not UTF-8"};
    }
    if (text.size() > kMaximumRecordBytes)
        return Error{ErrorCode::InvalidArgument, "a record of " + std::to_string(text.size()) +
                                                     " bytes is larger than the limit of " +
                                                     std::to_string(kMaximumRecordBytes)};
    // What cannot be read back must not be written; NaN, for one, would silently become null.
    const auto back = parseJson(text, "a record", kRecordLimits);
    if (!back.ok())
        return Error{ErrorCode::InvalidArgument, back.error().message};
    if (back.value() != record)
        return Error{ErrorCode::InvalidArgument,
                     "a record cannot be stored: it has NaN, an infinity or binary data"};
    return std::to_string(text.size()) + " " + checksumOf(text) + " " + text + "\n";
}

Result<JournalRecord> decodeJournalLine(std::string_view line)
{
    const std::size_t space = line.find(' ');
    const auto claimedLength = lengthFrom(line.substr(0, space));
    if (space == std::string_view::npos || !claimedLength)
        return badLine("it does not start with the length of a record");
    const std::size_t length = *claimedLength;
    line.remove_prefix(space + 1);
    if (!hasChecksum(line))
        return badLine("it has no checksum");
    const std::string_view claimed = line.substr(0, kChecksumDigits);
    line.remove_prefix(kChecksumDigits + 1);
    if (line.size() != length)
        return badLine("it has " + std::to_string(line.size()) + " bytes of record instead of " +
                       std::to_string(length));
    if (const std::string sum = checksumOf(line); sum != claimed)
        return badLine("the checksum is " + sum + " instead of " + std::string(claimed));
    QS_TRY(ParsedJson json, ParsedJson::parse(line, "the record", kRecordLimits));
    return JournalRecord{cleanTexts(std::move(json), line), line};
}

std::vector<std::string_view> recordsWithin(std::string_view line)
{
    std::vector<std::string_view> found;
    std::size_t free = 0;                  // what lies before it has been handed out
    std::size_t budget = 4 * line.size();  // of bytes to form checksums of: lines may be hostile
    for (std::size_t space = line.find(' '); space != std::string_view::npos;
         space = line.find(' ', space + 1)) {
        if (!hasChecksum(line.substr(space + 1)))
            continue;
        // Noise in front may end with a digit: each beginning of the length is tried.
        std::size_t begin = space;
        while (begin > free && space - begin < kMostDigits && isDigit(line[begin - 1]))
            --begin;
        for (; begin < space; ++begin) {
            const auto length = lengthFrom(line.substr(begin, space - begin));
            const std::size_t whole = space - begin + 1 + kChecksumDigits + 1 + length.value_or(0);
            if (!length || whole > line.size() - begin || *length > budget)
                continue;
            budget -= *length;
            const std::string_view record = line.substr(begin, whole);
            if (!decodeJournalLine(record).ok())
                continue;
            found.push_back(record);
            free = begin + whole;
            space = free - 1;
            break;
        }
    }
    return found;
}

bool mayBeTornAppend(std::string_view line, bool terminated)
{
    // Blocks that were never written read as zeros.
    if (line.find('\0') != std::string_view::npos)
        return true;
    if (terminated)
        return false;
    const std::size_t space = line.find(' ');
    const auto length = lengthFrom(line.substr(0, space));
    if (!length)
        return false;
    return space == std::string_view::npos ||
           line.size() <= space + 1 + kChecksumDigits + 1 + *length;
}

}  // namespace qs::core
