#pragma once

#include "core/report/profiles/export_profile.h"

namespace qs::core {

// The files of TransformerEngine's benchmark of selective compilation (source document 004).
[[nodiscard]] ExportProfile surgicalProfile();

}  // namespace qs::core
