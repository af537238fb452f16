#pragma once

namespace qs::core {

// Whether a thread that begins now finds memory for its stack and for what its allocator keeps of
// it. Where it does not, jemalloc 5.3 ends the program by a signal at the thread's first
// allocation, which nobody could tell of.
[[nodiscard]] bool hasRoomForThread();
// Throws std::bad_alloc if it has not.
void wantRoomForThread();

}  // namespace qs::core
