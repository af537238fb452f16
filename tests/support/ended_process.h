#pragma once

#include <chrono>

namespace qs::tests {

// Whether the process, a child or not, has ended or ends within `patience`. One that nobody has
// waited for has ended as well.
[[nodiscard]] bool goneWithin(int pid, std::chrono::milliseconds patience);

}  // namespace qs::tests
