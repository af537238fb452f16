#pragma once

#include "core/analysis/measured_course.h"
#include "core/record/measurement.h"
#include "core/stats/summary.h"
#include "widgets/measured/measured_fact.h"

#include <QString>

#include <optional>
#include <vector>

namespace qs::widgets {

// One row in numbers and words, each made from what the row holds; `summary` is that of the samples
// that count.
struct MeasuredRow {
    const core::Measurement& row;
    const core::MeasuredCourse& course;
    const std::optional<core::SampleSummary>& summary;
};
[[nodiscard]] std::vector<MeasuredFact> measuredFacts(const MeasuredRow& measured);

// Why there is no strip of clocks, in a sentence; empty if there is one.
[[nodiscard]] QString noTraceText(const core::Measurement& row);

}  // namespace qs::widgets
