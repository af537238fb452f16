#pragma once

#include "core/run/cell_supervisor.h"
#include "core/sweep/plan.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// What people ask of a running session. Asked from any thread; answered by the session's thread,
// between cells where that is soon enough.
class RunRequests final
{
public:
    void stopAfterCell();
    void stopNow();
    void pause(bool paused);
    void skipCell() { m_switch.skipCell(); }
    // Ends the running cell, too.
    void skipCompileMode();
    // The next cell of the round that goes on.
    void bringForward(const std::string& cellId);
    // False if the session takes no more: it is ending.
    [[nodiscard]] bool append(Plan addition);

    // The rest is for the session's thread.
    [[nodiscard]] SupervisorSwitch& supervisorSwitch() { return m_switch; }
    [[nodiscard]] bool stopping() const { return m_ending.stop_requested(); }
    // Of both ways to stop: for whatever is done while no cell runs.
    [[nodiscard]] std::stop_token ending() const { return m_ending.get_token(); }
    // Of stopNow() alone.
    [[nodiscard]] std::stop_token now() const { return m_switch.stopToken(); }
    [[nodiscard]] bool paused() const { return m_paused; }
    // True once after skipCompileMode().
    [[nodiscard]] bool takeSkipMode() { return m_skipMode.exchange(false); }
    [[nodiscard]] std::vector<std::string> takeForward();
    [[nodiscard]] std::vector<Plan> takeAppended();
    // Nothing is taken from now on. False if something that was appended still waits.
    [[nodiscard]] bool close();

    // Until it is no longer paused, somebody stops it, or something was appended.
    void waitWhilePaused();
    // Until somebody stops it; at most so long.
    void waitForStop(std::chrono::duration<double> longest);

private:
    // Changes a member under the lock and wakes whoever waits.
    template <typename Change>
    void ask(Change change);

    SupervisorSwitch m_switch;
    std::stop_source m_ending;
    std::atomic<bool> m_paused = false;
    std::atomic<bool> m_skipMode = false;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::string> m_forward;
    std::vector<Plan> m_appended;
    bool m_closed = false;
};

}  // namespace qs::core
