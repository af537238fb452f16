#pragma once

#include <QAbstractEventDispatcher>
#include <QDeadlineTimer>
#include <QTest>

namespace qs::tests {

// Lets so much time pass, and what became due meanwhile happen: on a busy machine the time may be
// over before the first of it has come.
inline void settle(int milliseconds)
{
    QTest::qWait(milliseconds);
    const QDeadlineTimer enough(10'000);  // for what comes again and again
    while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents) &&
           !enough.hasExpired()) {
    }
}

}  // namespace qs::tests
