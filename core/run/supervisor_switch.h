#pragma once

#include "core/run/worker_process.h"

#include <atomic>
#include <stop_token>

namespace qs::core {

// Requests from other threads to the one that supervises. Each wakes it up.
class SupervisorSwitch final
{
public:
    SupervisorSwitch();

    void stopNow();   // the run ends: the running cell becomes "cancelled"
    void skipCell();  // only the running cell ends
    [[nodiscard]] bool stopping() const { return m_stop.stop_requested(); }
    // Of stopNow().
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }
    // True once after skipCell().
    [[nodiscard]] bool takeSkip() { return m_skip.exchange(false); }
    // Readable when something was asked; drain() makes it quiet again.
    [[nodiscard]] int descriptor() const { return m_event.get(); }
    void wake() const;
    void drain() const;

private:
    FileDescriptor m_event;
    std::stop_source m_stop;
    std::atomic<bool> m_skip = false;
};

}  // namespace qs::core
