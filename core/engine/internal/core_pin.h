#pragma once

#include <sched.h>

#include <optional>

namespace qs::engine {

// Note [Pinned core]
// An eager pass on a GPU is as fast as one thread launches it. Where the scheduler of the host
// moves that thread from core to core, the same cell takes another time in each process: 200
// launches took 1.9 or 2.7 to 3.1 ms in plain PyTorch, and 1.95 to 2.11 ms on one core.

// Keeps the calling thread on the core that it is on, as long as it lives. Threads that this thread
// starts meanwhile stay there as well, so it is not for work that spreads over cores.
class CorePin final
{
public:
    CorePin();
    ~CorePin();
    CorePin(const CorePin&) = delete;
    CorePin& operator=(const CorePin&) = delete;

    // Nothing if the kernel refused.
    [[nodiscard]] std::optional<int> core() const { return m_core; }

private:
    cpu_set_t m_before{};
    std::optional<int> m_core;
};

}  // namespace qs::engine
