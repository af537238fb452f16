#pragma once

#include "core/analysis/cell_summary.h"

#include <cstddef>
#include <optional>
#include <string>

namespace qs::core {

// Why two cells have no verdict.
enum class NoVerdict {
    OtherRun,  // one of them is no cell of this run
    SameCell,
    OtherReference,
    Untrained,
    OtherEnvironment,
    NoCommonImages,  // that were compared with the reference
    NoFloor,
    FloorIncomplete,
    TooFewImages,
};

// Which of two cells is closer to the reference that both are compared with, picture by picture.
struct QualityComparison {
    // Of A: BETTER means that A is closer to the reference than B by more than the noise floor.
    // Empty if nothing can be said.
    std::optional<QualityVerdict> verdict;
    std::optional<NoVerdict> reason;  // why there is none, or none whatever the images show
    // Runs of the noise floor, where it is incomplete.
    int floorRuns = 0;
    int floorRunsPlanned = 0;
    std::size_t pictures = 0;  // that both have
    // Mean over pictures of B's distance 1 - SSIM less A's: above zero, A is closer. 95 %.
    std::optional<Estimate> closer;
    double margin = 0.0;  // the noise floor: smaller differences are none
};

// `analysis` is one of `data`. Cells of different references (other batch, size or model), cells of
// untrained weights and cells whose noise floor is unknown get no verdict; the reference itself
// lies at no distance. Reads all qualities of the run: for a selection, not for every frame.
[[nodiscard]] QualityComparison judgeAgainst(const RunData& data, const Analysis& analysis,
                                             const std::string& a, const std::string& b);

}  // namespace qs::core
