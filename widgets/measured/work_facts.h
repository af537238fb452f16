#pragma once

#include "core/record/measurement.h"
#include "widgets/measured/measured_fact.h"

#include <vector>

namespace qs::widgets {

// What a pass worked on and with: where its time went, and weights that take other memory than
// their scheme promises. Nothing of what was not recorded.
[[nodiscard]] std::vector<MeasuredFact> workFacts(const core::Measurement& row);

}  // namespace qs::widgets
