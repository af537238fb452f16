#pragma once

#include "core/run/run_observer.h"
#include "core/run/run_options.h"
#include "core/sweep/plan.h"

#include <memory>
#include <string>

namespace qs::core {

// A sweep that runs on a thread of its own. The destructor stops it at once and waits.
class RunSession final
{
public:
    // `observer` must outlive the session. When resuming, the cells of the plan, if it has any, are
    // appended to the run; if they cannot be, the session fails and the run stays as it was.
    RunSession(Plan plan, RunOptions options, RunObserver& observer);
    ~RunSession();
    RunSession(const RunSession&) = delete;
    RunSession& operator=(const RunSession&) = delete;

    // From any thread.
    void stopAfterCell();
    void stopNow();
    void pause(bool paused);
    void skipCell();
    // Skips the running cell and all of its compile mode that have not been run.
    void skipCompileMode();
    // Makes this cell the next one, if it still has to come in this round.
    void bringForward(const std::string& cellId);
    // See core/sweep/append_plan.h; a plan that cannot be appended leaves a note among the events.
    // False if the run has just come to its end: then it can be resumed with the plan.
    [[nodiscard]] bool append(Plan addition);
    // Blocks until finished() was called.
    void wait();
    [[nodiscard]] bool running() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace qs::core
