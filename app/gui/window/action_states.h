#pragma once

#include "app/gui/window_actions.h"

namespace qs::app {

// What decides which actions are possible.
struct WindowFacts {
    bool running = false;
    bool inView = false;  // the running one
    bool stopping = false;
    bool paused = false;
    bool engineReady = false;
    bool named = false;         // the draft has a preset
    bool runnable = false;      // there is a plan of the draft that can be run
    bool anyRun = false;        // a run is in view
    bool elsewhere = false;     // that was measured elsewhere
    bool anyFailed = false;     // and has failed cells
    bool incomplete = false;    // and lacks cells
    bool cellSelected = false;  // of that run

    [[nodiscard]] bool controllable() const { return running && !stopping; }
    // The run in view can be gone on with.
    [[nodiscard]] bool resumable() const { return anyRun && !running && !elsewhere; }
    // Cells can be appended to the run in view.
    [[nodiscard]] bool appendable() const
    {
        return resumable() || (anyRun && inView && controllable());
    }
};

// All but those that are always possible.
void enableActions(const WindowActions& actions, const WindowFacts& facts);

}  // namespace qs::app
