#include "core/run/run_requests.h"

#include <utility>

namespace qs::core {

template <typename Change>
void RunRequests::ask(Change change)
{
    const std::lock_guard lock(m_mutex);
    change();
    m_changed.notify_all();
}

void RunRequests::stopAfterCell()
{
    ask([this] { m_ending.request_stop(); });
}

void RunRequests::stopNow()
{
    ask([this] {
        m_ending.request_stop();
        m_switch.stopNow();
    });
}

void RunRequests::pause(bool paused)
{
    ask([&] { m_paused = paused; });
}

void RunRequests::skipCompileMode()
{
    m_skipMode = true;
    m_switch.skipCell();
}

void RunRequests::bringForward(const std::string& cellId)
{
    ask([&] { m_forward.push_back(cellId); });
}

bool RunRequests::append(Plan addition)
{
    bool taken = false;
    ask([&] {
        taken = !m_closed;
        if (taken)
            m_appended.push_back(std::move(addition));
    });
    return taken;
}

std::vector<std::string> RunRequests::takeForward()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_forward, {});
}

std::vector<Plan> RunRequests::takeAppended()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_appended, {});
}

bool RunRequests::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = m_appended.empty();
    return m_closed;
}

void RunRequests::waitWhilePaused()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_paused || stopping() || !m_appended.empty(); });
}

void RunRequests::waitForStop(std::chrono::duration<double> longest)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, longest, [this] { return stopping(); });
}

}  // namespace qs::core
