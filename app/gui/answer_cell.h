#pragma once

#include "core/analysis/answer.h"
#include "core/record/run_data.h"

#include <string>

namespace qs::app {

// The cell that one sees first of a run: the answer, or the best quantized one if the answer is
// none, at a point whose images are there. Empty without an answer.
[[nodiscard]] std::string cellToShowFirst(const core::RunData& data, const core::Analysis& analysis,
                                          const core::RunAnswer& answer);

// The worst of its images that is there, of the first few.
[[nodiscard]] int pictureToShowFirst(const core::RunData& data, const core::Analysis& analysis,
                                     const std::string& cellId);

}  // namespace qs::app
