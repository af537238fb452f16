#include "app/cli/run_stopper.h"

#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"

#include <signal.h>
#include <unistd.h>

#include <utility>

namespace qs::app {

void RunStopper::interrupted(int signal)
{
    const std::lock_guard lock(m_mutex);
    const bool first = !std::exchange(m_interrupted, true);
    if (m_session == nullptr || !first || signal != SIGINT) {
        stop();
        return;
    }
    complainText("\nfinishing the running cell; press Ctrl-C again to stop now\n");
    m_session->stopAfterCell();
}

void RunStopper::stopNow()
{
    const std::lock_guard lock(m_mutex);
    stop();
}

void RunStopper::watch(const std::function<core::RunSession*()>& make)
{
    const std::lock_guard lock(m_mutex);
    m_session = make();
}

void RunStopper::stop()
{
    if (m_session != nullptr) {
        m_session->stopNow();
        return;
    }
    // A worker that is being asked dies with this process.
    complain("stopped before the run started");
    ::_exit(kExitStoppedEarly);
}

}  // namespace qs::app
