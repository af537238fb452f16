#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QtGlobal>

#include <exception>
#include <type_traits>
#include <utility>

namespace qs::widgets {

// Runs work() on a thread of `pool` and then answered(its value) on the GUI thread, from which this
// is called. The receiver may end at any time: then the answer is dropped.
// Work that throws, which is a lack of memory, is answered by an empty value.
//
// The answer is posted to the application and not to the receiver, because only on the GUI thread
// can one ask whether the receiver is still there: a worker that asks and then posts may post to an
// object that ended in between. The application outlives the work: it waits for the global pool
// when it ends, and a pool of one's own ends before it.
template <typename Work, typename Answered>
void inBackground(QThreadPool& pool, QObject* receiver, Work work, Answered answered)
{
    using Answer = std::decay_t<std::invoke_result_t<Work&>>;
    pool.start([application = QCoreApplication::instance(), guard = QPointer<QObject>(receiver),
                work = std::move(work), answered = std::move(answered)]() mutable {
        Answer answer{};
        try {
            answer = work();
        } catch (const std::exception& failure) {
            qWarning("work in the background failed: %s", failure.what());
        }
        QMetaObject::invokeMethod(
            application,
            [guard, answer = std::move(answer), answered = std::move(answered)]() mutable {
                if (guard)
                    answered(std::move(answer));
            },
            Qt::QueuedConnection);
    });
}

// The same on the global pool.
template <typename Work, typename Answered>
void inBackground(QObject* receiver, Work work, Answered answered)
{
    inBackground(*QThreadPool::globalInstance(), receiver, std::move(work), std::move(answered));
}

}  // namespace qs::widgets
