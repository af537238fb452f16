#pragma once

#include <string_view>

namespace qs::core {

// The text of measure_peer.py.
[[nodiscard]] std::string_view measurePeerScript();

}  // namespace qs::core
