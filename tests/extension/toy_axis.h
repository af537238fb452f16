#pragma once

#include <cstdint>

namespace qs::tests {

// "calls": how often in a row a pass of the compile mode "twice" is called, 1 where nothing is
// said. Outside the product: no file of it knows the name.
void registerToyAxis();
// The worker's half.
void registerToyAxisEffect();
// What is in force.
[[nodiscard]] std::int64_t toyCalls();

}  // namespace qs::tests
