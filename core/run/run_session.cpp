#include "core/run/run_session.h"

#include "core/base/caught.h"
#include "core/base/stop_timer.h"
#include "core/base/thread_room.h"
#include "core/run/run_loop.h"
#include "core/run/run_requests.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace qs::core {

class RunSession::Impl final
{
public:
    Impl(Plan plan, RunOptions options, RunObserver& observer)
    {
        if (options.maximumSeconds > 0.0)
            m_timeLimit.emplace(std::chrono::duration<double>(options.maximumSeconds),
                                [this] { m_requests.stopNow(); });
        wantRoomForThread();
        m_thread = std::thread(
            [this, &observer, plan = std::move(plan), options = std::move(options)]() mutable {
                RunData data;
                const Status status = [&]() -> Status {
                    try {
                        // Whoever is told of the end may open the folder, so the loop must be gone
                        // by then.
                        RunLoop loop(std::move(plan), std::move(options), observer, m_requests);
                        Status ended = loop.run();
                        data = loop.takeData();
                        return ended;
                    } catch (...) {
                        return caughtError();
                    }
                }();
                // The observer may ask running() from inside the call.
                m_running = false;
                try {
                    observer.finished(status, std::move(data));
                } catch (...) {
                    // Nobody is left to be told: the run is complete on the disk.
                    const Error error = caughtError();
                    std::fputs(error.message.c_str(), stderr);
                    std::fputs("\n", stderr);
                }
                const std::lock_guard lock(m_mutex);
                m_finished = true;
                m_ended.notify_all();
            });
    }

    ~Impl()
    {
        m_requests.stopNow();
        m_thread.join();
    }

    RunRequests& requests() { return m_requests; }
    void wait()
    {
        std::unique_lock lock(m_mutex);
        m_ended.wait(lock, [this] { return m_finished; });
    }
    bool running() const { return m_running; }

private:
    RunRequests m_requests;
    std::optional<StopTimer> m_timeLimit;
    std::atomic<bool> m_running = true;
    std::mutex m_mutex;
    std::condition_variable m_ended;
    bool m_finished = false;
    std::thread m_thread;
};

RunSession::RunSession(Plan plan, RunOptions options, RunObserver& observer)
    : m_impl(std::make_unique<Impl>(std::move(plan), std::move(options), observer))
{
}

RunSession::~RunSession() = default;

void RunSession::stopAfterCell()
{
    m_impl->requests().stopAfterCell();
}

void RunSession::stopNow()
{
    m_impl->requests().stopNow();
}

void RunSession::pause(bool paused)
{
    m_impl->requests().pause(paused);
}

void RunSession::bringForward(const std::string& cellId)
{
    m_impl->requests().bringForward(cellId);
}

bool RunSession::append(Plan addition)
{
    return m_impl->requests().append(std::move(addition));
}

void RunSession::skipCell()
{
    m_impl->requests().skipCell();
}

void RunSession::skipCompileMode()
{
    m_impl->requests().skipCompileMode();
}

void RunSession::wait()
{
    m_impl->wait();
}

bool RunSession::running() const
{
    return m_impl->running();
}

}  // namespace qs::core
