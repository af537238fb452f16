#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string_view>

namespace qs::core {

// What the kernel of this machine can keep a process from. Both need no privilege.
struct SandboxLimits {
    bool files = false;    // Landlock: writing anywhere but in one folder
    bool network = false;  // seccomp: sockets but those of this machine, other programs, other
                           // processes
    bool operator==(const SandboxLimits&) const = default;
};
[[nodiscard]] SandboxLimits sandboxLimits();

// A worker that is started with it and a folder shuts itself off before it does anything else.
inline constexpr std::string_view kShutOffOption = "--shut-off";

// Note [Sandbox]
// Programs that come with a model (TorchScript, compiled packages) run in a process that has shut
// itself off before it loads them, for good: it can write in one folder only (and to devices, as a
// GPU needs it, to the counter of its own memory and the names of its threads), has no network,
// starts no programs and touches no other process. It can still read what its user can read, and a
// driver of the kernel remains open to it: the risk is smaller, not gone. Where the kernel lacks
// one of the two, the other holds, and whoever asks is told.

// For this thread and those it begins afterwards: call it while there is no other. `writable`: an
// existing folder. Returns what holds from now on; an error if the kernel has it and refuses.
[[nodiscard]] Result<SandboxLimits> enterSandbox(const std::filesystem::path& writable);

}  // namespace qs::core
