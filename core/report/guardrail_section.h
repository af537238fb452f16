#pragma once

#include "core/analysis/analysis.h"
#include "core/base/json.h"
#include "core/report/plain_table.h"

// How far quantized embeddings are from those of bf16, and what would help; no lines for other
// models. See Note [Guardrail] in core/analysis/guardrail.h.
namespace qs::core {

[[nodiscard]] TableSection guardrailSection(const Analysis& analysis);
[[nodiscard]] Json guardrailJson(const Analysis& analysis);

}  // namespace qs::core
