#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/environment_difference.h"
#include "core/analysis/matched_cells.h"
#include "core/analysis/run_figures.h"
#include "core/record/run_data.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// One of the runs that are held against each other. What it points to must outlive the comparison.
struct RunSide {
    const RunData* data = nullptr;
    const RunFigures* figures = nullptr;
    const Analysis* analysis = nullptr;
};

enum class StatusChange {
    BothOk,
    Broken,  // was ok, is not any more
    Mended,
    NeitherOk,
};

// The quality of a cell beside that of its counterpart, image by image, each against the reference
// of its own run.
struct QualityChange {
    QualityEvidence evidence;
    double pValue = 1.0;  // of the claim, corrected over the comparison
    QualityVerdict verdict = QualityVerdict::TooFewPictures;  // of the later run

    bool operator==(const QualityChange&) const = default;
};

// A cell that both runs have: the same configuration but for the changed axes. Environments are
// not asked, they are what may have changed.
struct MatchedCell {
    const CellSummary* before = nullptr;
    const CellSummary* after = nullptr;
    StatusChange status = StatusChange::BothOk;
    // Of seconds per pass: above 1, the later run is faster. Rounds of two runs are never paired,
    // so that drift does not cancel: see weighUnpaired() in core/stats/verdict.h.
    std::optional<SpeedClaim> speed = {};
    std::optional<QualityChange> quality = {};  // of the same images and trained weights alone
    // Every output is the same bit by bit; unknown without hashes on both sides.
    std::optional<bool> identical = {};
    std::optional<double> memoryRatio = {};  // peaks, after over before; of the same kind
    bool otherWeights = false;               // the contents of the model differ
    // The rows are of another kind of device: the verdict is one about the devices, too.
    bool otherDevice = false;
};

struct RunComparison {
    std::vector<ChangedAxis> changed;
    // Facts about the environments that most rows of each run come from; those that differ first.
    std::vector<EnvironmentField> environment;
    // The input sets have the same names, or both are generated in the same way.
    bool sameImages = false;
    std::vector<MatchedCell> cells;  // in order of the earlier plan
    std::vector<const CellSummary*> onlyBefore;
    std::vector<const CellSummary*> onlyAfter;
};

// Cells are matched by identity without the environment; reruns for the noise floor are left out.
// Verdicts are corrected over all matched cells.
[[nodiscard]] RunComparison compareRuns(const RunSide& before, const RunSide& after);

// How many of the matched cells became so.
struct ComparisonCounts {
    int faster = 0;
    int slower = 0;
    int undecided = 0;  // timed in both
    int better = 0;
    int worse = 0;
    int moreMemory = 0;  // by more than kMemoryTolerance
    int broken = 0;
};
// Peaks of one build are equal to the byte; those of two may differ by an alignment.
inline constexpr double kMemoryTolerance = 0.01;
[[nodiscard]] ComparisonCounts countChanges(const RunComparison& comparison);

// The cells that are farther from their reference than before, in the mean by more than `limit`:
// SSIM of images fell by so much. Few images reach no verdict, and count here.
[[nodiscard]] std::vector<const MatchedCell*> fallenBy(const RunComparison& comparison,
                                                       double limit);
// The cells whose outputs the earlier run had judged, and of which it is not known what became of
// their quality: the inputs are others, or the later run did not judge them.
[[nodiscard]] std::vector<const MatchedCell*> unjudged(const RunComparison& comparison);

}  // namespace qs::core
