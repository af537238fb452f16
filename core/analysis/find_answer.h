#pragma once

#include "core/analysis/answer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// What kinds of samples a run can be asked about, as CellLabels::sample says, in order of the plan,
// with the number of planned cells of each: it does not change while a run goes on.
struct SampleKind {
    std::string sample;
    int cells = 0;
};
[[nodiscard]] std::vector<SampleKind> sampleKinds(const Analysis& analysis);

[[nodiscard]] RunAnswer findAnswer(const Analysis& analysis, const AnswerQuestion& question);

// The batches at which outputs of the same configuration were compared with the reference,
// ascending; the cell's own among them if so.
[[nodiscard]] std::vector<std::int64_t> comparedBatches(const Analysis& analysis,
                                                        const CellSummary& cell);

// Whether the answer to it is told as the time of a pass: that of quantizing is minutes, of which a
// rate says little.
[[nodiscard]] bool isToldAsTime(AnswerObjective objective, const CellSummary& cell);

// The peak that all measured cells have, those of a processor apart where there are others: of the
// allocator, or else of the process. In bytes.
[[nodiscard]] bool allocatedPeakKnown(const Analysis& analysis);

}  // namespace qs::core
