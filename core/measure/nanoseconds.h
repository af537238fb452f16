#pragma once

#include <vector>

namespace qs::core {

// Seconds as the clocks give them: to the nanosecond. The 17 digits that differences and CUDA's
// floats of milliseconds have otherwise are noise, and were a quarter of a long journal.
[[nodiscard]] double wholeNanoseconds(double seconds);
[[nodiscard]] std::vector<double> wholeNanoseconds(std::vector<double> seconds);
// When something happened is asked less precisely than how long it took.
[[nodiscard]] double wholeMicroseconds(double seconds);

}  // namespace qs::core
