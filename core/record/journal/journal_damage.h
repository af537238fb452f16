#pragma once

#include <cstdint>
#include <string>

namespace qs::core {

// What of a journal is no record, though it lies before records or was ended as one: nobody knows
// what it held. One flipped bit makes one such line; a stretch that the disk lost may have been
// many records, noise in their place may be many lines.
struct JournalDamage {
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;      // in these lines; whole records between them do not count
    std::uint64_t firstLine = 0;  // from 1, which is the header
    std::uint64_t firstByte = 0;  // where that line begins
    std::string firstProblem;     // "it has no checksum"
    bool headerMissing = false;   // so that nobody knows which version wrote it

    [[nodiscard]] bool any() const { return lines > 0 || headerMissing; }
    bool operator==(const JournalDamage&) const = default;
};

// "412 bytes in 3 lines cannot be read, the first in line 7 at byte 5120: it has no checksum"; for
// any().
[[nodiscard]] std::string damageText(const JournalDamage& damage);

}  // namespace qs::core
