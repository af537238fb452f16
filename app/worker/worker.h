#pragma once

#include "core/protocol/channel.h"

namespace qs::app {

// Serves the channel until it closes or asks to shut down. Returns the exit code: 0 in good order,
// 5 if the device was lost. The calling thread reads frames and sends heartbeats; one other thread
// does all work with Torch.
[[nodiscard]] int runWorker(core::Channel channel);

}  // namespace qs::app
