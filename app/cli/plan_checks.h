#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

// What `preset check` says of a sweep and `run` before it makes a folder.
namespace qs::app {

// NotFound if the images are not there or cannot be reached.
[[nodiscard]] core::Status checkPictures(const core::Preset& preset);
// Unsupported if no cell of the plan can run, with the reason of the first.
[[nodiscard]] core::Status checkSomeCanRun(const core::Plan& plan);

}  // namespace qs::app
