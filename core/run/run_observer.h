#pragma once

#include "core/record/run_data.h"

#include <string>
#include <vector>

namespace qs::core {

// What is going on in a run at this moment.
struct RunProgress {
    std::string cellId;  // empty between cells
    int round = 0;
    Phase phase = Phase::Start;
    double phaseFraction = 0.0;
    int step = 0;               // of Inputs: images that are ready …
    int steps = 0;              // … of so many; 0 where nothing is counted
    double phaseSeconds = 0.0;  // since this phase began
    int done = 0;               // rows of this plan that exist
    int total = 0;              // possible cells x rounds
    double elapsedSeconds = 0.0;
    double remainingSeconds = 0.0;  // estimate
    bool paused = false;            // not while a cell goes on that a pause waits for
    // Seconds per pass of the current cell, as they come: the newest of the warm-up, and once it is
    // over of the samples, at most kMostLiveSamples.
    std::vector<double> samples = {};
};

// Receives what a run does. Called on the session's thread: copy and hand over, do not block.
class RunObserver
{
public:
    virtual ~RunObserver() = default;
    virtual void planned(const RunData& data) = 0;  // once, before the first cell
    // Cells were appended. Comes before planned() if the session begins with that.
    virtual void planGrew(const Plan& plan) = 0;
    virtual void progressed(const RunProgress& progress) = 0;
    virtual void measured(const Measurement& row) = 0;
    virtual void qualityKnown(const OutputQuality& quality) = 0;
    virtual void happened(const RunEvent& event) = 0;
    virtual void logged(const std::string& line) = 0;
    // The last call. Ok also when it was stopped; an error says what ended the run itself:
    // Unsupported if it does not fit into the memory or onto the disk here, Cancelled if it was
    // stopped before it had begun. In both cases there is no run folder. `data` is the run as it
    // ended, for those who want to have it.
    virtual void finished(const Status& status, RunData data) = 0;
};

}  // namespace qs::core
