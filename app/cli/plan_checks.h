#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

#include <filesystem>

// What `preset check` says of a sweep and `run` before it makes a folder.
namespace qs::app {

// NotFound if the images are not there or cannot be reached.
[[nodiscard]] core::Status checkPictures(const core::Preset& preset);
// What the files that feed the inputs hold must fit the models.
[[nodiscard]] core::Status checkFeeds(const core::Plan& plan,
                                      const std::filesystem::path& resourceFolder);
// Unsupported if no cell of the plan can run, with the reason of the first.
[[nodiscard]] core::Status checkSomeCanRun(const core::Plan& plan);

}  // namespace qs::app
