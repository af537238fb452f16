#pragma once

#include "core/report/profiles/export_profile.h"

namespace qs::core {

// The table that OlmoEarth's throughput benchmark makes of its runs, and their names.
[[nodiscard]] ExportProfile olmoearthProfile();

}  // namespace qs::core
