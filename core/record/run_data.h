#pragma once

#include "core/record/environment.h"
#include "core/record/left_out.h"
#include "core/record/measurement.h"
#include "core/sweep/plan.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// A line about the run itself: started, resumed, stopped, order of a round, a skipped family.
struct RunEvent {
    std::string at;    // UTC
    std::string kind;  // "started" "resumed" "stopped" "round" "note" "warning"
    std::string text;
};

// Kind of an event that readers of the results must know, such as a machine that is not quiet.
inline constexpr const char* kWarningEvent = "warning";

// A run in memory, as views and reports read it. A plain value.
struct RunData {
    std::filesystem::path folder;
    Plan plan;
    std::vector<Environment> environments;
    std::vector<Measurement> measurements;  // in order of the journal
    // So many rows were left in the journal of the folder instead: `measurements` has none.
    std::size_t rowsInJournal = 0;
    std::vector<PictureQuality> qualities;
    std::vector<RunEvent> events;
    std::vector<std::string> pictureNames;  // of the input set, in order
    LeftOut leftOut;                        // what reading it could not take

    [[nodiscard]] const Environment* environment(const std::string& id) const;
};

}  // namespace qs::core
