#pragma once

#include "app/gui/settings.h"
#include "app/gui/window_actions.h"

#include <vector>

namespace qs::app {

// The runs that were open last, newest first, as menus call them: by their labels or the names of
// their sweeps. Those that share a name have their folder, too.
[[nodiscard]] std::vector<NamedPath> recentRuns(const Settings& settings);

}  // namespace qs::app
