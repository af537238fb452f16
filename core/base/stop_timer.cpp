#include "core/base/stop_timer.h"

#include "core/base/thread_room.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace qs::core {

namespace {

// Longer than any run, and a clock can still add it up.
constexpr std::chrono::duration<double> kLongest{1e9};

}  // namespace

StopTimer::StopTimer(std::chrono::duration<double> time, std::function<void()> expired)
{
    wantRoomForThread();
    m_thread = std::jthread([time = std::min(time, kLongest),
                             expired = std::move(expired)](const std::stop_token& gone) {
        std::mutex mutex;
        std::condition_variable_any nothing;
        std::unique_lock lock(mutex);
        nothing.wait_for(lock, gone, std::chrono::duration_cast<std::chrono::nanoseconds>(time),
                         [] { return false; });
        if (!gone.stop_requested())
            expired();
    });
}

}  // namespace qs::core
