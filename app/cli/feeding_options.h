#pragma once

#include "app/cli/commands.h"
#include "core/base/result.h"
#include "core/model/input_feed.h"

namespace qs::app {

// Adds what the command line declares to what a preset does.
[[nodiscard]] core::Status applyFeeding(const FeedingOptions& options, core::ModelFeeding& feeding);

}  // namespace qs::app
