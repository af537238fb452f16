#pragma once

#include "core/base/files.h"

#include <signal.h>

namespace qs::core {

// The signals that ask a program to end: SIGINT (Ctrl-C), SIGTERM, SIGHUP (a terminal that went).
[[nodiscard]] sigset_t endSignals();
// This thread, and those that it starts, do not get them any more: they wait for a reader. To be
// called before any other thread is there.
void holdEndSignals();
// Gives a signalfd_siginfo for each that waits; never blocks.
[[nodiscard]] FileDescriptor openEndSignals();

}  // namespace qs::core
