#pragma once

#include "core/analysis/measured_course.h"
#include "core/record/measurement.h"
#include "core/stats/summary.h"
#include "widgets/measured/measured_fact.h"

#include <QString>

#include <optional>
#include <vector>

namespace qs::widgets {

// The unit in which times of this size are read best.
struct TimeUnit {
    double perSecond = 1e3;
    QString name;
};
[[nodiscard]] TimeUnit timeUnit(double seconds);
// "4.03 ms" with so many significant digits.
[[nodiscard]] QString durationText(double seconds, int digits);

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
