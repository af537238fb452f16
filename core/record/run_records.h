#pragma once

#include "core/record/run_data.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace qs::core {

// The records of a journal: {"type": "row" | "quality" | "event", …the members of the value}.
[[nodiscard]] Json rowRecord(const Measurement& row);
[[nodiscard]] Json qualityRecord(const PictureQuality& quality);
[[nodiscard]] Json eventRecord(const RunEvent& event);

// Puts records of a journal, in their order, into a RunData. Record types of later versions are
// left out; so are repetitions of a row key (cell, environment, round, attempt), so that nothing
// counts twice. Both are told by notes among the events.
class RunRecordReader final
{
public:
    // What to do with a row, quality or event that is not understood: leave it out with a note, or
    // fail, because whoever goes on with the run would measure it once more.
    enum class Unreadable { LeaveOut, Fail };

    RunRecordReader(RunData& data, Unreadable unreadable) : m_data(data), m_unreadable(unreadable)
    {
    }

    [[nodiscard]] Status add(const Json& record);
    // Gives qualities of before their environment, and adds the notes. Once, after the last record.
    void finish();
    void note(const std::string& text);

private:
    [[nodiscard]] Status addKnown(const std::string& type, const Json& members);
    [[nodiscard]] Status addRow(const Json& members);
    void settleEnvironments();

    RunData& m_data;
    Unreadable m_unreadable;
    std::set<std::tuple<std::string, std::string, int, int>> m_rowKeys;
    std::map<std::string, int> m_unknownTypes;
    int m_repetitions = 0;
    int m_records = 0;
};

// Ids become names of folders, also those of a run folder that somebody else has made.
[[nodiscard]] bool isSafeCellId(const std::string& id);

}  // namespace qs::core
