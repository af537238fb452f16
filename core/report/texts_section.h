#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"
#include "core/report/plain_table.h"

namespace qs::core {

// What trained models wrote after the first prompts, beside the text of the reference; no lines
// where no text was generated, or none was kept. Of generated weights a text means nothing.
[[nodiscard]] TableSection textsSection(const RunData& data, const Analysis& analysis);

}  // namespace qs::core
