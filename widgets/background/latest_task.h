#pragma once

#include "widgets/background/in_background.h"

#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace qs::widgets {

// Work on a worker thread of which only the newest answer is wanted: starting it again drops the
// answer of what is under way. Used and answered on the GUI thread; member of the context, so that
// no answer comes after its end. The end waits for what is under way.
template <typename Answer>
class LatestTask final
{
public:
    // True while the answer is still wanted; long work asks now and then and may return early.
    using Wanted = std::function<bool()>;

    LatestTask() { m_pool.setMaxThreadCount(2); }
    ~LatestTask()
    {
        drop();
        m_pool.waitForDone();
    }
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;

    // Work that throws, which is a lack of memory, is answered by an empty Answer.
    void start(QObject* context, std::function<Answer(const Wanted&)> work,
               std::function<void(const Answer&)> answered)
    {
        const quint64 job = ++*m_newest;
        m_busy = true;
        inBackground(
            m_pool, context,
            [newest = m_newest, job, work = std::move(work)]() -> Answer {
                const auto wanted = [&] { return newest->load() == job; };
                return wanted() ? work(wanted) : Answer{};
            },
            [this, job, answered = std::move(answered)](const Answer& answer) {
                if (m_newest->load() != job)
                    return;
                m_busy = false;
                answered(answer);
            });
    }
    // The answer is not wanted any more.
    void drop()
    {
        ++*m_newest;
        m_busy = false;
    }
    [[nodiscard]] bool isBusy() const { return m_busy; }

private:
    QThreadPool m_pool;
    std::shared_ptr<std::atomic<quint64>> m_newest = std::make_shared<std::atomic<quint64>>(0);
    bool m_busy = false;
};

}  // namespace qs::widgets
