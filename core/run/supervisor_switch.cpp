#include "core/run/supervisor_switch.h"

#include "core/base/checks.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace qs::core {

SupervisorSwitch::SupervisorSwitch() : m_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    QS_ASSERT(m_event.valid());
}

void SupervisorSwitch::stopNow()
{
    m_stop.request_stop();
    wake();
}

void SupervisorSwitch::skipCell()
{
    m_skip = true;
    wake();
}

void SupervisorSwitch::wake() const
{
    const std::uint64_t one = 1;
    // Fails only when the counter is full, and then it is readable anyway.
    [[maybe_unused]] const ssize_t written = ::write(m_event.get(), &one, sizeof one);
}

void SupervisorSwitch::drain() const
{
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = ::read(m_event.get(), &count, sizeof count);
}

}  // namespace qs::core
