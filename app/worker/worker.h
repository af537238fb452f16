#pragma once

#include "core/base/sandbox.h"
#include "core/protocol/channel.h"

#include <optional>

namespace qs::app {

// Serves the channel until it closes or asks to shut down. Returns the exit code: 0 in good order,
// 5 if the device was lost. The calling thread reads frames and sends heartbeats; one other thread
// does all work with Torch. A process that is shut off converts programs and runs no cells; one
// that is not, the other way round.
[[nodiscard]] int runWorker(core::Channel channel,
                            const std::optional<core::SandboxLimits>& shutOff = {});

}  // namespace qs::app
