#pragma once

#include "core/base/note.h"
#include "core/record/environment.h"
#include "core/record/left_out.h"
#include "core/record/measurement.h"
#include "core/record/output_quality.h"
#include "core/sweep/plan.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

enum class EventKind {
    Started,
    Resumed,
    Appended,
    Round,  // begins; the order of its cells
    Note,
    Warning,  // readers of the results must know it, such as a machine that is not quiet
    Stopped,
    Complete,
};
inline constexpr auto kEventKinds = enumNames<EventKind>({{EventKind::Started, "started"},
                                                          {EventKind::Resumed, "resumed"},
                                                          {EventKind::Appended, "appended"},
                                                          {EventKind::Round, "round"},
                                                          {EventKind::Note, "note"},
                                                          {EventKind::Warning, "warning"},
                                                          {EventKind::Stopped, "stopped"},
                                                          {EventKind::Complete, "complete"}});

// What happened to the run itself.
struct RunEvent {
    std::string at;  // UTC
    EventKind kind = EventKind::Note;
    std::vector<Note> notes = {};
};

// A run in memory, as views and reports read it. A plain value.
struct RunData {
    std::filesystem::path folder;
    Plan plan;
    std::vector<Environment> environments;
    std::vector<Measurement> measurements;  // in order of the journal
    // So many rows were left in the journal of the folder instead: `measurements` has none.
    std::size_t rowsInJournal = 0;
    std::vector<OutputQuality> qualities;
    std::vector<RunEvent> events;
    std::vector<std::string> pictureNames;  // of the input set, in order
    LeftOut leftOut;                        // what reading it could not take

    [[nodiscard]] const Environment* environment(const std::string& id) const;
};

}  // namespace qs::core
