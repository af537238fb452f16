#pragma once

#include "core/analysis/cell_summary.h"
#include "core/record/reference_results.h"

#include <cstddef>
#include <optional>
#include <string>

namespace qs::core {

// What the samples of a reference result say. Seconds per pass.
struct ReferenceFigures {
    double seconds = 0.0;  // the median over rounds of their medians
    double lowest = 0.0;   // of those
    double highest = 0.0;
    double throughput = 0.0;  // units of work per second
    std::size_t rounds = 0;
    std::size_t samples = 0;

    bool operator==(const ReferenceFigures&) const = default;
};

// Nothing for a row without samples.
[[nodiscard]] std::optional<ReferenceFigures> figuresOf(const ReferenceRow& row);

enum class Sameness { Unknown, Same, Different };

// What the run has in common with a file of reference results.
struct ReferenceMatch {
    Sameness model = Sameness::Unknown;  // by the hash of the weights
    Sameness device = Sameness::Unknown;
    Sameness sizes = Sameness::Unknown;

    bool operator==(const ReferenceMatch&) const = default;
};
[[nodiscard]] ReferenceMatch matchOf(const ReferenceResults& results, const RunData& data,
                                     const Analysis& analysis);

// The cell that both have: bf16 eager of the run at the batch of the row and the sizes of the file,
// if it was timed. How far the two are apart is how far all else may be.
[[nodiscard]] const CellSummary* ownEager(const Analysis& analysis, const ReferenceResults& results,
                                          std::int64_t batch);
// That program's own bf16 eager row of a batch.
[[nodiscard]] const ReferenceRow* theirEager(const ReferenceResults& results, std::int64_t batch);

}  // namespace qs::core
