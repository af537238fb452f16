#pragma once

#include "core/analysis/answer.h"
#include "widgets/plot/curve_series.h"

#include <vector>

namespace qs::widgets {

// The limit that the question asks for and the noise floor, on the horizontal axis, as far as they
// are of that metric of quality. With several noise floors the largest.
[[nodiscard]] std::vector<CurveRule> qualityRules(const core::Analysis& analysis,
                                                  const core::Metric& quality,
                                                  const core::AnswerQuestion& question);

}  // namespace qs::widgets
