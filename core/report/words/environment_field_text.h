#pragma once

#include "core/analysis/environment_difference.h"

#include <string>
#include <vector>

namespace qs::core {

// "PyTorch", "cuda:0, driver", "variable OMP_NUM_THREADS"
[[nodiscard]] std::string fieldName(const EnvironmentField& field);
// Why it matters to whoever compares rows, a sentence.
[[nodiscard]] std::string fieldReason(EnvironmentFact fact);
// "speed and results", "speed"; empty for nothing
[[nodiscard]] std::string effectText(EnvironmentEffect effect);
// With their units, empty where nothing is reported. Rounded, unless that hides a difference.
[[nodiscard]] std::vector<std::string> fieldValues(const EnvironmentField& field);

}  // namespace qs::core
