#pragma once

#include "core/report/profiles/export_profile.h"
#include "core/report/profiles/gptq_runs.h"

namespace qs::core {

// env_info.json: what a scenario was measured with.
[[nodiscard]] ProfileRecord gptqEnvironment(const GptqScenario& scenario, const RunData& data);

}  // namespace qs::core
