#pragma once

#include "core/run/worker_process.h"

#include <atomic>

namespace qs::core {

// Requests from other threads to the one that supervises. Each wakes it up.
class SupervisorSwitch final
{
public:
    SupervisorSwitch();

    void stopNow();   // the run ends: the running cell becomes "cancelled"
    void skipCell();  // only the running cell ends
    [[nodiscard]] bool stopping() const { return m_stop; }
    // True once after skipCell().
    [[nodiscard]] bool takeSkip() { return m_skip.exchange(false); }
    // Readable when something was asked; drain() makes it quiet again.
    [[nodiscard]] int descriptor() const { return m_event.get(); }
    void wake() const;
    void drain() const;

private:
    FileDescriptor m_event;
    std::atomic<bool> m_stop = false;
    std::atomic<bool> m_skip = false;
};

}  // namespace qs::core
