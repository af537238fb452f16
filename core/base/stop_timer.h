#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

namespace qs::core {

// Calls `expired` on a thread of its own when the time is up, unless the object has gone by then.
// Throws std::bad_alloc where there is no memory for a thread.
class StopTimer final
{
public:
    StopTimer(std::chrono::duration<double> time, std::function<void()> expired);

private:
    std::jthread m_thread;
};

}  // namespace qs::core
