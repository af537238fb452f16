#include "core/measure/clock_steps.h"

#include "core/stats/quantiles.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace qs::core {

namespace {

// The share of a step in what is timed alone for `seconds`; nothing if it is negligible.
std::optional<double> shareOfStep(double seconds, double negligible)
{
    const double share = kEventStepSeconds / std::max(seconds, kEventStepSeconds);
    return share > negligible ? std::optional(share) : std::nullopt;
}

bool hasOwnEvents(const CellResult& result)
{
    return result.passesPerSample == 1 ||
           (result.conditions && result.conditions->cache == CacheState::Cold);
}

void addStages(const CellResult& result, std::vector<Note>& notes)
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
    if (shortest == nullptr)
        return;
    if (const auto share = shareOfStep(seconds, kNegligibleStageStep))
        notes.push_back({NoteCode::ClockStepsOfStage, {shortest->stage, seconds, *share}});
}

}  // namespace

std::vector<Note> clockStepNotes(const CellResult& result)
{
    std::vector<Note> notes;
    if (result.deviceSeconds.empty())
        return notes;
    const double pass = median(result.deviceSeconds);
    const bool alone = hasOwnEvents(result);
    const double seconds = alone ? pass : pass * result.passesPerSample;
    if (const auto share = shareOfStep(seconds, kNegligibleStep))
        notes.push_back(alone ? Note{NoteCode::ClockStepsOfPass, {seconds, *share}}
                              : Note{NoteCode::ClockStepsOfBlock,
                                     {double(result.passesPerSample), seconds, *share}});
    addStages(result, notes);
    return notes;
}

}  // namespace qs::core
