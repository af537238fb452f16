#pragma once

#include "core/run/run_session.h"

#include <functional>
#include <mutex>

namespace qs::app {

// What may end a run from outside. Until it has begun, nothing is worth keeping, and the program
// ends at once.
class RunStopper final
{
public:
    // One Ctrl-C finishes the running cell; a second one, or any other signal, stops now.
    void interrupted(int signal);
    // Its time is up, or nobody reads what it says.
    void stopNow();

    // From now on `make` decides who is to be stopped; null after its end.
    void watch(const std::function<core::RunSession*()>& make);

private:
    // While m_mutex is held.
    void stop();

    std::mutex m_mutex;
    core::RunSession* m_session = nullptr;
    bool m_interrupted = false;
};

}  // namespace qs::app
