#pragma once

#include "core/report/profiles/export_profile.h"
#include "core/report/profiles/gptq_runs.h"

#include <vector>

namespace qs::core {

// Fills GptqCell::logitDifference of all cells but the baselines.
void addLogitDifferences(std::vector<GptqScenario>& scenarios, const RunData& data,
                         const Analysis& analysis);

// numerical_check.json of a scenario: how the model that the baseline quantized answers beside the
// one that was quantized in the other way, and how the bytes of both lie in memory.
[[nodiscard]] ProfileRecord numericRecord(const GptqScenario& scenario, const RunData& data,
                                          const Analysis& analysis);

}  // namespace qs::core
