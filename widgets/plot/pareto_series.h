#pragma once

#include "core/analysis/answer.h"
#include "widgets/plot/curve_series.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace qs::widgets {

// Metrics of quality of which any of these cells has a number (all that say something of their
// weights, if none has any yet), the distance that verdicts are made of first.
[[nodiscard]] std::vector<const core::Metric*> qualityMetrics(const core::Analysis& analysis);

// Bytes of the cell that needs most; the areas of points are relative to it.
[[nodiscard]] std::int64_t mostMemory(const core::Analysis& analysis);

// Every measured cell that was compared with the reference as a point: quality over x, `metric`
// over y, its memory as the size, relative to `largest` (by default that of the run). With the
// frontier, beyond which no cell is better in both, the limit that the question asks for and the
// noise floor. Cells without a figure are counted in the note.
[[nodiscard]] CurveSet makePareto(const core::Analysis& analysis, const QString& baseline,
                                  const core::Metric& metric, const core::Metric& quality,
                                  const core::AnswerQuestion& question,
                                  std::optional<std::int64_t> largest = std::nullopt);

}  // namespace qs::widgets
