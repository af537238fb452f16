#pragma once

#include "core/record/journal/journal_scanner.h"
#include "core/record/run_data.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <unordered_map>

namespace qs::core {

// The records of a journal: {"type": "row" | "quality" | "event", …the members of the value}.
[[nodiscard]] Json rowRecord(const Measurement& row);
[[nodiscard]] Json qualityRecord(const PictureQuality& quality);
[[nodiscard]] Json eventRecord(const RunEvent& event);

enum class RecordFate {
    Taken,
    UnknownType,
    NotUnderstood,
    Repeated,      // there already, word for word
    Contradicted,  // there already with other values
};

// Puts records of a journal, in their order, into a RunData. What it leaves out it counts there:
// record types of later versions, and rows (by cell, environment, round, attempt) and comparisons
// that are there already, so that nothing counts twice.
class RunRecordReader final
{
public:
    // What to do with a row, quality or event that is not understood: leave it out, or fail,
    // because whoever goes on with the run would measure it once more.
    enum class Unreadable { LeaveOut, Fail };

    RunRecordReader(RunData& data, Unreadable unreadable) : m_data(data), m_unreadable(unreadable)
    {
    }

    // For a scan of the journal; the reader must outlive it. `told` hears of each record, in order.
    // Cancelled once a stop was asked for.
    [[nodiscard]] RecordParser parser(std::function<void(RecordFate)> told = {},
                                      std::stop_token stop = {});
    // Gives qualities of before their environment. Once, after the last record.
    void finish(const JournalDamage& damage, std::uint64_t tornBytes);
    void note(const std::string& text);

private:
    // What is known of a record without the others.
    struct Parsed;

    [[nodiscard]] static Parsed parse(Json record);
    [[nodiscard]] Result<RecordFate> take(Parsed parsed);
    [[nodiscard]] RecordFate takeRow(Measurement row);
    [[nodiscard]] RecordFate takeQuality(PictureQuality quality);
    [[nodiscard]] RecordFate takeEvent(RunEvent event);
    void count(RecordFate fate, const std::string& type);
    void settleEnvironments();

    RunData& m_data;
    Unreadable m_unreadable;
    // Where those of a key are.
    std::unordered_map<std::string, std::size_t> m_rows;
    std::unordered_map<std::string, std::size_t> m_qualities;
    std::uint64_t m_records = 0;
};

// Ids become names of folders, also those of a run folder that somebody else has made.
[[nodiscard]] bool isSafeCellId(const std::string& id);

}  // namespace qs::core
