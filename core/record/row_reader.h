#pragma once

#include "core/base/result.h"
#include "core/record/journal/journal_line.h"
#include "core/record/measurement.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace qs::core {

// For those who read a run row by row; where they keep none, what comes back is called with the
// outline of the row. A row is looked at on any thread, several at a time; what comes back is
// called, for a row that counts, in the order of the journal, one at a time. An error ends the
// reading.
using RowTaker = std::function<Status(const Measurement& row)>;
using RowParser = std::function<RowTaker(const Measurement& row)>;

enum class RecordFate {
    Taken,
    UnknownType,
    NotUnderstood,
    Repeated,      // there already, word for word
    Contradicted,  // there already with other values
};

// The type of a record; nothing if it has none.
[[nodiscard]] std::optional<std::string_view> typeOf(const JournalRecord& record);

// A row of the journal. Format if it is none, or if its cell cannot be a folder.
[[nodiscard]] Result<Measurement> rowFromRecord(const JournalRecord& record);

// Who a row is, when it was made, the names of its stages and outputs; none of its figures. Made by
// the thread that read the row where rows are not kept: what one thread frees for another waits for
// locks.
[[nodiscard]] Measurement outlineOf(Measurement row);

// The same for records that are the same word for word.
[[nodiscard]] std::size_t fingerprintOf(const JournalRecord& record);

// Which rows are there already, by cell, environment, round and attempt: nothing counts twice.
class KnownRows final
{
public:
    // Taken, Repeated or Contradicted.
    [[nodiscard]] RecordFate add(const Measurement& row, std::size_t fingerprint);

private:
    struct Key {
        std::size_t cell = 0;
        std::size_t environment = 0;
        int round = 0;
        int attempt = 0;

        bool operator==(const Key&) const = default;
    };
    struct HashOfKey {
        [[nodiscard]] std::size_t operator()(const Key& key) const;
    };

    // Ids are long, and rows many.
    [[nodiscard]] std::size_t numberOf(const std::string& id);

    std::unordered_map<std::string, std::size_t> m_numbers;
    std::unordered_map<Key, std::size_t, HashOfKey> m_fingerprints;
};

// Ids become names of folders, also those of a run folder that somebody else has made.
[[nodiscard]] bool isSafeCellId(const std::string& id);

}  // namespace qs::core
