#pragma once

#include "core/report/profiles/export_profile.h"

namespace qs::core {

// The files of llm-compressor's benchmark of GPTQ (source document 003).
[[nodiscard]] ExportProfile gptqProfile();

}  // namespace qs::core
