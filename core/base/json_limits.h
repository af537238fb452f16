#pragma once

#include <cstddef>

namespace qs::core {

// What a document from outside may contain. The defaults fit presets.
struct JsonLimits {
    std::size_t bytes = std::size_t{4} << 20U;
    std::size_t depth = 32;
    std::size_t nodes = 100'000;
    std::size_t stringBytes = std::size_t{64} << 10U;
};

}  // namespace qs::core
