#include "core/base/end_signals.h"

#include <sys/signalfd.h>

namespace qs::core {

sigset_t endSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

void holdEndSignals()
{
    const sigset_t set = endSignals();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

FileDescriptor openEndSignals()
{
    const sigset_t set = endSignals();
    return FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace qs::core
