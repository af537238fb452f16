#pragma once

#include <csignal>
#include <spawn.h>

namespace qs::core {

// Children begin with signals as they usually are: this program blocks what it waits for, and may
// ignore others; they would inherit both, also of the signal that ends them with their parent.
// Flags for posix_spawnattr_setflags().
[[nodiscard]] inline short withUsualSignals(posix_spawnattr_t& attributes)
{
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    return POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
}

}  // namespace qs::core
