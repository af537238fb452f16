#pragma once

namespace qs::tests {

// The engine's half of the compile mode "twice". Needs Torch; for the worker alone.
void registerToyRunner();

}  // namespace qs::tests
