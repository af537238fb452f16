#pragma once

namespace qs::app {

// The whole of a worker program: one that links further schemes or compile modes registers them
// first. Runs cells on one device for a supervising process, which reaches it on descriptor 3.
// Returns the exit code.
[[nodiscard]] int workerMain();

}  // namespace qs::app
