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

// Of MeasurementSettings::energySeconds, unless it is 0: an energy counter moves in steps, so that
// less says nothing, and more is a matter of hours.
inline constexpr double kLeastEnergySeconds = 2.0;
inline constexpr double kMostEnergySeconds = 600.0;

// That are timed of a cell or warm it up: all of a cell has to fit into a line of the journal, with
// up to eight figures of each.
inline constexpr int kMostTimedSamples = 100'000;

// Of MeasurementSettings::distinctBatches: all of them lie where the inputs do.
inline constexpr int kMostDistinctBatches = 64;

// Where `maximum_samples` is not given. The two kinds that need many samples get room for them:
// time must be able to pass, and entropy settles after some 2 000 samples that all differ.
[[nodiscard]] int defaultMaximumSamples(StoppingKind kind);

}  // namespace qs::core
