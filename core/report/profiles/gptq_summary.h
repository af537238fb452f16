#pragma once

#include "core/report/profiles/gptq_runs.h"
#include "core/sweep/price.h"

#include <string>
#include <vector>

namespace qs::core {

// summary.md of one scenario, with the columns of the benchmark.
[[nodiscard]] std::string gptqSummary(const GptqScenario& scenario, const Price& price);
// That of all of them, with the times and losses of types of layers.
[[nodiscard]] std::string gptqOverview(const std::vector<GptqScenario>& scenarios,
                                       const Price& price);

}  // namespace qs::core
