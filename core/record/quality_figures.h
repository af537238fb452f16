#pragma once

#include "core/record/analysis.h"
#include "core/record/counted_rounds.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// Over the pictures of one cell against one reference.
struct QualityFigures {
    double ssimMean = 0.0;
    double ssimWorst = 0.0;
    int worstPicture = 0;
    std::optional<double> psnrMean;  // over pictures that differ
    bool identical = false;          // all of them, bit by bit
    std::optional<double> msSsimMean;
    std::optional<double> flipMean;
    std::optional<double> flipWorst;
    double maximumDifference = 0.0;    // of all pictures
    double meanDifference = 0.0;       // mean over pictures
    std::optional<double> relativeL2;  // mean
    std::optional<double> cosineSimilarity;
    std::vector<int> pictures;
    std::vector<double> distances;  // 1 - SSIM of each of them

    // 1 - mean SSIM; rounding must not make it negative.
    [[nodiscard]] double distance() const;
    // The same of the worst picture.
    [[nodiscard]] double worstDistance() const;
};

// The qualities of a run by cell, reference and environment; a picture that was compared twice
// counts as the second time.
class QualityIndex final
{
public:
    // `qualities` must outlive the object.
    explicit QualityIndex(const std::vector<PictureQuality>& qualities);

    [[nodiscard]] std::optional<QualityFigures> figures(const std::string& cellId,
                                                        const std::string& referenceId,
                                                        const std::string& environmentId) const;
    // Whether the cell was compared with the reference in any environment.
    [[nodiscard]] bool comparedAnywhere(const std::string& cellId,
                                        const std::string& referenceId) const;

private:
    std::unordered_map<std::string, std::vector<const PictureQuality*>> m_byCell;
};

// Whether the run computes the same mathematics as its reference, so that its distance is no loss
// of quality: planned as such, or swept and equal to one that would have been (fp32 eager, bf16 as
// a graph or compiled by Inductor). Our own fused and surgical modes have to show that first.
[[nodiscard]] bool isNoiseFloorRun(const PlannedCell& cell);

// The fp32 run that stands for what the model means: eager, all layers, added for the noise floor
// or swept.
[[nodiscard]] bool isGoldenRun(const PlannedCell& cell);

// The golden run of the cells that share a reference: the first in the plan. Null without one.
[[nodiscard]] const PlannedCell* goldenRunOf(const Plan& plan, const std::string& referenceId);

// For each reference, in the order in which they first appear in the plan, and each environment
// that figures of its cells come from. `rounds` are of that plan: a run that has failed and has no
// ok round in the environment will not come.
[[nodiscard]] std::vector<NoiseFloor> noiseFloors(const Plan& plan, const CountedRounds& rounds,
                                                  const QualityIndex& qualities);

// What the pictures of one cell are held against.
struct QualityContext {
    std::string environmentId;          // that the figures of the cell come from
    const NoiseFloor* floor = nullptr;  // of that environment; may be null
    std::string goldenId = {};          // empty if there is no golden run
};

// Fills the quality members of a summary but for the verdict, which judgeQualities() gives.
void fillQuality(const PlannedCell& cell, const QualityIndex& qualities,
                 const QualityContext& context, CellSummary& summary);

// Judges the claims of a run together, with one error for all of them. Comparisons that are planned
// but have no pictures yet count as well, as those of speed do; noise-floor runs claim nothing.
void judgeQualities(std::vector<CellSummary>& cells);

}  // namespace qs::core
