#pragma once

#include "core/sweep/phase.h"

namespace qs::engine {

// What a running cell tells and asks. Called on the GPU thread.
class CellObserver
{
public:
    virtual ~CellObserver() = default;
    virtual void phaseStarted(core::Phase phase) = 0;
    // A pass was timed, of the warm-up or a sample. Called between passes: must be cheap.
    virtual void sampled(double /*seconds*/) {}
    // Something of the phase is done: its fraction in [0, 1]. False asks the run to stop.
    [[nodiscard]] virtual bool progressed(double fraction) = 0;
    // The same question where nothing has been done since the last one: a phase that only asks
    // hangs, and its limit ends it.
    [[nodiscard]] virtual bool goesOn() = 0;
};

}  // namespace qs::engine
