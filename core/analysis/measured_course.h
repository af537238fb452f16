#pragma once

#include "core/measure/cell_result.h"
#include "core/stats/interval.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// A phase on the axis of time. Parts of the compile phase are nested in it.
struct CoursePhase {
    Phase phase = Phase::Load;
    double start = 0.0;  // seconds after the cell began
    double seconds = 0.0;
    bool nested = false;
};

enum class PassKind { WarmUp, Counted, Discarded };

// A sample of the warm-up or of those that are meant to count.
struct CoursePass {
    PassKind kind = PassKind::Counted;
    std::size_t index = 0;  // among its like
    double at = 0.0;        // seconds after the cell began
    double seconds = 0.0;   // per pass, by the device's clock where there is one
    std::optional<Discard> discard = std::nullopt;  // why it does not count
};

// A stretch of time in which something slowed the device down.
struct SlowdownBand {
    double from = 0.0;
    double to = 0.0;
    std::vector<std::string> reasons;
};

// How much of a stretch of time the driver held the clock down, by its counters; in per cent.
struct CappedStretch {
    double from = 0.0;
    double to = 0.0;
    std::optional<double> power = std::nullopt;
    std::optional<double> thermal = std::nullopt;
};

// One measurement from its beginning to its end, as it is drawn along one axis.
struct MeasuredCourse {
    std::vector<CoursePhase> phases;   // by start
    std::vector<CoursePass> passes;    // the warm-up, then the samples; none without their times
    double seconds = 0.0;              // of the whole cell, as far as phases tell
    std::optional<Interval> span;      // from the first pass to the end of the last
    std::optional<Interval> sampling;  // from the first sample to the end of the last
    std::vector<SlowdownBand> slowdowns;
    std::vector<CappedStretch> capped;  // from point to point of the trace, ascending
    std::optional<Interval> clock;      // slowest and fastest SM clock of a sample, in MHz
};

// By the clock of the headline number, also those that do not count.
[[nodiscard]] const std::vector<double>& allSamples(const CellResult& result);

// Samples of the warm-up have no starts of their own: they are laid end to end before the end of
// their phase.
[[nodiscard]] MeasuredCourse courseOf(const CellResult& result);

}  // namespace qs::core
