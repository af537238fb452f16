#pragma once

#include "core/analysis/answer.h"

#include <cstdint>
#include <vector>

namespace qs::core {

[[nodiscard]] RunAnswer findAnswer(const Analysis& analysis, const AnswerQuestion& question);

// The batches at which outputs of the same configuration were compared with the reference,
// ascending; the cell's own among them if so.
[[nodiscard]] std::vector<std::int64_t> comparedBatches(const Analysis& analysis,
                                                        const CellSummary& cell);

// The peak that all measured cells have: of the allocator, or else of the process. In bytes.
[[nodiscard]] bool allocatedPeakKnown(const Analysis& analysis);

}  // namespace qs::core
