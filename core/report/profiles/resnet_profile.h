#pragma once

#include "core/report/profiles/export_profile.h"

namespace qs::core {

// What the ResNet-18 precision timing script prints and computes, one record per batch size; its
// guide's tables with what this run measured.
[[nodiscard]] ExportProfile resnetProfile();

}  // namespace qs::core
