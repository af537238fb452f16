#pragma once

#include "core/analysis/analysis.h"

#include <string>

namespace qs::core {

// What a table calls a stage of a pass, or a part of quantizing. Where all that quantizes is solved
// for (GPTQ), it is solved and rounded while it is calibrated, and little is left for the part that
// rounds.
[[nodiscard]] std::string stageTitle(const std::string& stage, const Analysis& analysis);

}  // namespace qs::core
