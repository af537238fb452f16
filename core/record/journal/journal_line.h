#pragma once

#include "core/base/parsed_json.h"
#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// One record is one line of text:
//
//     81 5c0f1a2b {"cell":"…","type":"row"}⏎
//
// the length of the JSON text in bytes (decimal, no leading zero), its CRC-32 as in zlib (eight
// lower-case hexadecimal digits), the JSON text with sorted keys and without line breaks, a line
// feed. So grep, cut and jq can read a journal, and a line that was cut or damaged is recognised.

inline constexpr std::size_t kMaximumRecordBytes = std::size_t{16} << 20U;
// Length, checksum, two spaces and the line feed take at most this much.
inline constexpr std::size_t kLineOverheadBytes = 20;

// The line with its line feed. InvalidArgument if the record would not read back equal: NaN and
// infinity, text that is not UTF-8, more than the reader's limits.
[[nodiscard]] Result<std::string> encodeJournalLine(const Json& record);

// A record as it stands in a line.
struct JournalRecord {
    ParsedJson json;
    std::string_view text;  // of the JSON, in the line
};

// The record of a line without its line feed; a Format error says what is wrong with the line.
[[nodiscard]] Result<JournalRecord> decodeJournalLine(std::string_view line);

// The whole records within a bad line, in order, each as a line without its line feed: a damaged
// line feed joins two of them, a lost stretch or noise may end in front of one.
[[nodiscard]] std::vector<std::string_view> recordsWithin(std::string_view line);

// Whether a bad last line can be an append that did not finish: the beginning of a line, or a whole
// one whose middle never reached the disk, which reads as zeros. False if it is longer than it
// claims: then a damaged line feed may have joined two records, of which the first was durable.
[[nodiscard]] bool mayBeTornAppend(std::string_view line, bool terminated);

}  // namespace qs::core
