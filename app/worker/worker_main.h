#pragma once

namespace qs::app {

// The whole of a worker program: one that links further schemes or compile modes registers them
// first. Runs cells on one device for a supervising process, which reaches it on descriptor 3.
// Returns the exit code. With the arguments "--shut-off FOLDER" it shuts itself off first, see Note
// [Sandbox], and converts programs; it runs no cells then.
[[nodiscard]] int workerMain(int argc, char** argv);

}  // namespace qs::app
