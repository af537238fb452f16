#pragma once

#include <string_view>

namespace qs::tests {

// C++ text: blocks of a GPU as threads of the host, and what the device's prelude has for them:
// meetings, instructions of a warp, and copies that go on beside the thread.
[[nodiscard]] std::string_view hostThreads();

}  // namespace qs::tests
