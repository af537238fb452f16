#pragma once

#include "core/device/description.h"

#include <optional>

namespace qs::core {

// For the boost clock that the maker publishes: dense products with accumulation in 32 bits in
// FLOP/s (a multiplication and an addition are two), and the memory.
struct PeakRates {
    double bits32 = 0.0;
    double tf32 = 0.0;    // that of 32 bits where the device has no such format
    double bits16 = 0.0;  // bfloat16 and float16
    double bits8 = 0.0;   // int8, and float8 where it exists
    double memory = 0.0;  // bytes per second
    double cache = 0.0;   // bytes of L2: so much of the last pass may still be there
};

// Of the very device that bears this name; nothing for any other. A roof that is wrong is worse
// than none, so that a variant with a lower clock or power limit is not taken for its sister.
[[nodiscard]] std::optional<PeakRates> publishedPeakRates(const DeviceDescription& device);

// The products that bound how fast a device can be. Weights that are stored small and widened
// before they are multiplied are of 16 bits.
enum class PeakClass { Bits32, Tf32, Bits16, Bits8 };
[[nodiscard]] double rateOf(const PeakRates& rates, PeakClass products);
// No pass that reads `bytes` of memory can be faster, in seconds: what is not in the cache has to
// come from memory.
[[nodiscard]] double shortestReading(const PeakRates& rates, double bytes);

}  // namespace qs::core
