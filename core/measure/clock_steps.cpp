#include "core/measure/clock_steps.h"

#include "core/base/format.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <limits>

namespace qs::core {

namespace {

constexpr double kPercent = 100.0;
constexpr const char* kStepText = "the clock's steps of 0.5 µs";

// `what`: "each pass", timed alone for `seconds`.
void addNote(const std::string& what, double seconds, double negligible,
             std::vector<std::string>& notes)
{
    const double share = kEventStepSeconds / std::max(seconds, kEventStepSeconds);
    if (share <= negligible)
        return;
    notes.push_back(what + " of " + formatSeconds(seconds) + " is timed alone; " + kStepText +
                    " are " + formatSignificant(kPercent * share, 2) + " % of it");
}

bool hasOwnEvents(const CellResult& result)
{
    return result.passesPerSample == 1 || result.conditions.starts_with("cold L2");
}

void addStages(const CellResult& result, std::vector<std::string>& notes)
{
    // The only stage of passes that are timed alone is the pass.
    if (result.stages.size() == 1 && hasOwnEvents(result))
        return;
    const StageSamples* shortest = nullptr;
    double seconds = std::numeric_limits<double>::infinity();
    for (const StageSamples& stage : result.stages) {
        const double own = stage.seconds.empty() ? seconds : median(stage.seconds);
        if (own < seconds) {
            shortest = &stage;
            seconds = own;
        }
    }
    if (shortest != nullptr)
        addNote("stage " + shortest->stage, seconds, kNegligibleStageStep, notes);
}

}  // namespace

std::vector<std::string> clockStepNotes(const CellResult& result)
{
    std::vector<std::string> notes;
    if (result.deviceSeconds.empty())
        return notes;
    const double pass = median(result.deviceSeconds);
    if (hasOwnEvents(result))
        addNote("each pass", pass, kNegligibleStep, notes);
    else
        addNote("each block of " + std::to_string(result.passesPerSample) + " passes",
                pass * result.passesPerSample, kNegligibleStep, notes);
    addStages(result, notes);
    return notes;
}

}  // namespace qs::core
