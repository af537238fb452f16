#pragma once

#include "core/analysis/answer.h"

namespace qs::core {

// Of an answer that is complete but for this.
[[nodiscard]] AnswerSupport supportOf(const RunAnswer& answer, const Analysis& analysis,
                                      AnswerObjective objective);

}  // namespace qs::core
