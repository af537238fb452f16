#pragma once

#include "core/base/files.h"

#include <functional>
#include <thread>

namespace qs::app {

// Signals that ask the program to end: SIGINT (Ctrl-C), SIGTERM, SIGHUP (a terminal that went). A
// thread of its own reads them, so that nothing runs in a handler. To be made before any other
// thread, because threads inherit that these signals wait. With the object, they end the program
// again.
class Interrupts final
{
public:
    // `react` gets the number of the signal, on that thread.
    explicit Interrupts(std::function<void(int signal)> react);
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

private:
    core::FileDescriptor m_signals;
    core::FileDescriptor m_end;
    std::jthread m_thread;
};

// The program ends as if nobody had taken the signal, but its temporary files and folders go first.
[[noreturn]] void endBySignal(int signal);

}  // namespace qs::app
