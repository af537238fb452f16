#pragma once

#include "core/record/journal/journal_scanner.h"
#include "core/record/output_quality.h"
#include "core/record/row_reader.h"
#include "core/record/run_data.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace qs::core {

// The records of a journal: {"type": "row" | "quality" | "event", …the members of the value}.
[[nodiscard]] Json rowRecord(const Measurement& row);
// Of the same cells, see haveSameCells().
[[nodiscard]] Json qualityRecord(std::span<const OutputQuality> qualities);
// Its texts are cleaned, see Note [Clean text].
[[nodiscard]] Json eventRecord(const RunEvent& event);
[[nodiscard]] RunEvent cleaned(RunEvent event);

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
    // Shows the rows to `rows`; those that are not kept are counted, see RunData::rowsInJournal.
    RunRecordReader(RunData& data, Unreadable unreadable, RowParser rows, bool keepsRows)
        : m_data(data), m_unreadable(unreadable), m_showRow(std::move(rows)), m_keepsRows(keepsRows)
    {
    }

    // For a scan of the journal; the reader must outlive it. `told` hears of each record, in order.
    // Cancelled once a stop was asked for.
    [[nodiscard]] RecordParser parser(std::function<void(RecordFate)> told = {},
                                      std::stop_token stop = {});
    // Once, after the last record.
    void finish(const JournalDamage& damage, std::uint64_t tornBytes);
    void note(Note note);

private:
    // What is known of a record without the others.
    struct Parsed;

    [[nodiscard]] Parsed parse(const JournalRecord& record) const;
    [[nodiscard]] Result<RecordFate> take(Parsed parsed);
    [[nodiscard]] Result<RecordFate> takeRow(Measurement row, const Parsed& parsed);
    [[nodiscard]] RecordFate takeQualities(std::vector<OutputQuality> qualities);
    [[nodiscard]] RecordFate takeQuality(OutputQuality quality);
    [[nodiscard]] RecordFate takeEvent(RunEvent event);
    void count(RecordFate fate, const std::string& type);

    RunData& m_data;
    Unreadable m_unreadable;
    RowParser m_showRow;  // may be empty
    bool m_keepsRows = true;
    KnownRows m_rows;
    // Where those of a key are.
    std::unordered_map<std::string, std::size_t> m_qualities;
    std::uint64_t m_records = 0;
};

}  // namespace qs::core
