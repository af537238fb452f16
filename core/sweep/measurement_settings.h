#pragma once

#include "core/base/json.h"
#include "core/sweep/preset.h"

#include <string>
#include <vector>

namespace qs::core {

// The member "measurement" of presets, and of whatever else carries these settings. `path` is that
// of `json` in the document; absent members keep their defaults, and a complaint keeps the default
// too.
[[nodiscard]] MeasurementSettings measurementSettingsFromJson(const Json& json,
                                                              const std::string& path,
                                                              std::vector<JsonIssue>& issues);
[[nodiscard]] Json toJson(const MeasurementSettings& settings);

} // namespace qs::core
