#pragma once

#include "core/report/profiles/export_profile.h"

#include <string_view>
#include <vector>

namespace qs::core {

// Adding a document is adding a row.
[[nodiscard]] const std::vector<ExportProfile>& exportProfiles();
// Its error names the profiles that there are.
[[nodiscard]] Result<const ExportProfile*> findExportProfile(std::string_view id);

}  // namespace qs::core
