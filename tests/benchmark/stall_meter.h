#pragma once

#include <QApplication>

#include <ctime>

namespace qs::tests {

// Seconds of processor time that the calling thread has used: what other programs do to the
// machine does not count.
inline double threadSeconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wallSeconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// An application that knows how long its thread was busy with a single event. While that lasts
// nothing can be clicked or drawn.
class MeteredApplication final : public QApplication
{
public:
    using QApplication::QApplication;

    struct Stall {
        double busySeconds = 0.0;  // processor time of the longest event
        double wallSeconds = 0.0;  // its time on the clock
        QString what;              // type of the event and class of its receiver
    };

    void reset() { m_longest = {}; }
    [[nodiscard]] const Stall& longest() const { return m_longest; }
    // How often a widget was painted.
    [[nodiscard]] int paints() const { return m_paints; }

    bool notify(QObject* receiver, QEvent* event) override
    {
        m_paints += event->type() == QEvent::Paint ? 1 : 0;
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        // The receiver may not outlive the event.
        const QString what = QStringLiteral("event %1 for %2")
                                 .arg(int(event->type()))
                                 .arg(QString::fromLatin1(receiver->metaObject()->className()));
        const double busy = threadSeconds();
        const double wall = tests::wallSeconds();
        ++m_depth;
        const bool result = QApplication::notify(receiver, event);
        --m_depth;
        const double used = threadSeconds() - busy;
        if (used > m_longest.busySeconds)
            m_longest = {used, tests::wallSeconds() - wall, what};
        return result;
    }

private:
    int m_depth = 0;
    int m_paints = 0;
    Stall m_longest;
};

}  // namespace qs::tests
