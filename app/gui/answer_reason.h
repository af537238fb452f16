#pragma once

#include "core/analysis/answer.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace qs::app {

// "812.3 images/s", "3.21 ms", "0.62 GiB"; with an interval, which decides the digits of both,
// "812 images/s" and "[805, 820]". Of a cell that quantizes its time instead of a rate.
struct ObjectiveText {
    QString figure;
    QString interval;  // may be empty

    [[nodiscard]] QString whole() const
    {
        return interval.isEmpty() ? figure : figure + QLatin1Char(' ') + interval;
    }
};
[[nodiscard]] ObjectiveText objectiveText(const core::Analysis& analysis,
                                          core::AnswerObjective objective,
                                          const core::CellSummary& cell, double value,
                                          const std::optional<core::Interval>& interval = {});
// A heading for all cells of one kind: "Pictures beyond the limit".
[[nodiscard]] QString candidacyText(core::Candidacy candidacy);
// Why this very cell is of that kind: its SSIM, its error. May be empty.
[[nodiscard]] QString candidateReason(const core::AnswerCandidate& candidate,
                                      const core::CellSummary& summary,
                                      const core::AnswerQuestion& question);

// "1, 16".
[[nodiscard]] QString batchesText(const std::vector<std::int64_t>& batches);

}  // namespace qs::app
