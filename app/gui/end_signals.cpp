#include "app/gui/end_signals.h"

#include "core/base/end_signals.h"

#include <QSocketNotifier>

#include <sys/signalfd.h>
#include <unistd.h>

namespace qs::app {

void EndSignals::hold()
{
    core::holdEndSignals();
}

EndSignals::EndSignals(QObject* parent) : QObject(parent)
{
    m_signals = core::openEndSignals();
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

#include "moc_end_signals.cpp"
