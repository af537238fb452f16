#pragma once

#include "core/report/profiles/export_profile.h"
#include "core/report/profiles/gptq_runs.h"

#include <vector>

namespace qs::core {

// The JSON files of a scenario, in artifacts/<scenario>/, an object each: those of the modes that
// the run has.
[[nodiscard]] std::vector<ProfileTable> gptqFiles(const GptqScenario& scenario, const RunData& data,
                                                  const Analysis& analysis);

}  // namespace qs::core
