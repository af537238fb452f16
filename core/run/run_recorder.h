#pragma once

#include "core/record/run_folder.h"
#include "core/run/run_observer.h"

#include <span>
#include <string>

namespace qs::core {

// Keeps three things in step: the run folder, the run in memory, and whoever looks on. What is on
// disk comes first, so that nobody has seen what a crash can lose. For the session's thread.
class RunRecorder final
{
public:
    // `data` and `observer` must outlive the recorder; `data` holds what the folder holds.
    RunRecorder(RunFolder folder, RunData& data, RunObserver& observer)
        : m_folder(std::move(folder)), m_data(data), m_observer(observer)
    {
    }

    [[nodiscard]] const RunFolder& folder() const { return m_folder; }

    [[nodiscard]] Status addRow(const Measurement& row);
    [[nodiscard]] Status addQualities(std::span<const OutputQuality> qualities);
    [[nodiscard]] Status addEvent(EventKind kind, std::vector<Note> notes = {});
    // The same, and a line in the log.
    [[nodiscard]] Status addLoggedEvent(EventKind kind, const Note& note);
    // The plan with cells appended.
    [[nodiscard]] Status growPlan(Plan plan);
    // See RunFolder::keep().
    [[nodiscard]] Status keep(const FilePlace& file) { return m_folder.keep(file); }
    void log(const std::string& line);

private:
    RunFolder m_folder;
    RunData& m_data;
    RunObserver& m_observer;
};

}  // namespace qs::core
