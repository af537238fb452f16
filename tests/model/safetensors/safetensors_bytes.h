#pragma once

#include "core/model/safetensors/safetensors.h"
#include "tests/support/test_folder.h"

#include <string>
#include <string_view>

namespace qs::tests {

// A file made of a header text and data bytes, with the right header length in front.
[[nodiscard]] std::string safetensorsBytes(std::string_view header, std::string_view data = {});

// The little-endian length in front of a header.
[[nodiscard]] std::string lengthPrefix(std::uint64_t length);

// The complaint about these bytes as a file, or "accepted".
[[nodiscard]] std::string safetensorsRefusal(const TestFolder& folder, std::string_view bytes,
                                             const core::SafetensorsLimits& limits = {});

}  // namespace qs::tests
