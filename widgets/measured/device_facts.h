#pragma once

#include "core/analysis/measured_course.h"
#include "core/record/measurement.h"
#include "widgets/measured/measured_fact.h"

#include <vector>

namespace qs::widgets {

// What the device did while the row was measured: clock, heat, what held it down, energy, and who
// else was there. Nothing of what it did not tell.
[[nodiscard]] std::vector<MeasuredFact> deviceFacts(const core::Measurement& row,
                                                    const core::MeasuredCourse& course);

}  // namespace qs::widgets
