#pragma once

#include "core/report/profiles/export_profile.h"

#include <string>

// Runs that profiles are made of, and what is in them.
namespace qs::tests {

[[nodiscard]] core::ProfileContent contentOf(const std::string& profile, const core::RunData& data);
[[nodiscard]] const core::ProfileValue& valueOf(const core::ProfileRecord& record,
                                                const std::string& field);
// The only record of the file whose name ends so.
[[nodiscard]] const core::ProfileRecord& fileOf(const core::ProfileContent& content,
                                                const std::string& name);
// Two baselines of the GPTQ document, and a cold and two warm ones beside them.
[[nodiscard]] core::RunData gptqRun();

}  // namespace qs::tests
