#include "app/cli/interrupts.h"

#include "core/base/checks.h"
#include "core/base/end_signals.h"
#include "core/base/temporaries.h"
#include "core/base/thread_room.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>

namespace qs::app {

Interrupts::Interrupts(std::function<void(int signal)> react)
    : m_end(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    core::holdEndSignals();
    m_signals = core::openEndSignals();
    QS_ASSERT(m_end.valid() && m_signals.valid());
    core::wantRoomForThread();
    m_thread = std::jthread([this, react = std::move(react)](const std::stop_token& stop) {
        std::array<pollfd, 2> watched{{{m_signals.get(), POLLIN, 0}, {m_end.get(), POLLIN, 0}}};
        while (!stop.stop_requested()) {
            static_cast<void>(::poll(watched.data(), watched.size(), -1));
            signalfd_siginfo info{};
            while (::read(m_signals.get(), &info, sizeof info) == sizeof info)
                react(static_cast<int>(info.ssi_signo));
        }
    });
}

Interrupts::~Interrupts()
{
    m_thread.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_end.get(), &one, sizeof one);
    m_thread.join();
    const sigset_t set = core::endSignals();
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void endBySignal(int signal)
{
    const std::unique_lock<std::mutex> none = core::removeTemporaries();
    ::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(signal);
    ::_exit(128 + signal);
}

}  // namespace qs::app
