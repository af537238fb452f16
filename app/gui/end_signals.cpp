#include "app/gui/end_signals.h"

#include <QSocketNotifier>

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace qs::app {

namespace {

sigset_t held()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

}  // namespace

void EndSignals::hold()
{
    const sigset_t set = held();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

EndSignals::EndSignals(QObject* parent) : QObject(parent)
{
    const sigset_t set = held();
    m_signals = core::FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    m_notifier = new QSocketNotifier(m_signals.get(), QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &EndSignals::read);
}

void EndSignals::read()
{
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof info) == sizeof info)
        Q_EMIT endRequested(static_cast<int>(info.ssi_signo));
}

}  // namespace qs::app
