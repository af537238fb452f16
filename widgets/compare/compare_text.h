#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/quality_comparison.h"
#include "core/image/region.h"
#include "widgets/compare/loaded_pictures.h"

#include <QString>
#include <QStringList>

namespace qs::widgets {

// Why this cell has no pictures, in a sentence: "This cell has no pictures: out of memory". Empty
// if there must be some. `summary` may be null.
[[nodiscard]] QString unavailableText(const core::PlannedCell& cell,
                                      const core::CellSummary* summary);

// How far the cell is from its quality reference over all pictures, next to what makes no
// difference at all: "1.3× noise floor".
[[nodiscard]] QString verdictText(const core::Analysis& analysis, const core::PlannedCell& cell);
// What the verdict is made of, for its tooltip.
[[nodiscard]] QString verdictExplanation(const core::Analysis& analysis,
                                         const core::PlannedCell& cell);
// Which of A and B is closer to their reference: "A is closer to the reference than B". Empty if
// nothing can be said.
[[nodiscard]] QString closerText(const core::QualityComparison& comparison);
// What that is made of, or why there is nothing to say.
[[nodiscard]] QString closerExplanation(const core::QualityComparison& comparison);
// The label of a cell with generated weights; empty for a trained one.
[[nodiscard]] QString untrainedNote(const core::PlannedCell& cell);

// SSIM, PSNR, largest difference and worst tile of one picture, in parts that captions break
// between. "identical" where it is.
[[nodiscard]] QStringList metricsLines(const Comparison& comparison);
// The same from the record, for outputs of which only the 8-bit copies were kept: what those would
// give has their rounding in it.
[[nodiscard]] QStringList metricsLines(const core::OutputQuality& recorded);
// What can be said of random weights: how far the numbers are apart. `recorded`: null if unknown.
[[nodiscard]] QStringList deviationLines(const Comparison& comparison,
                                         const core::OutputQuality* recorded);
// "FLIP 0.012 · MS-SSIM 0.99991"; empty without either and for equal
// pictures.
[[nodiscard]] QString visibleLine(const core::OutputQuality& recorded);
// "region 40 × 30: SSIM 0.9821 · PSNR 38.1 dB · max |Δ| 0.12".
[[nodiscard]] QString regionLine(const core::RegionScore& score);

// Which comparison of a picture is meant.
struct QualityKey {
    std::string cellId;
    std::string referenceId;  // core::kInputId for the original
    std::string environmentId;
    int picture = 0;
};
// Its record; null if there is none. The newest counts.
[[nodiscard]] const core::OutputQuality* findQuality(const core::RunData& data,
                                                     const QualityKey& key);
// "03 landscape"; "picture 4" where the run has no names.
[[nodiscard]] QString pictureName(const core::RunData& data, int picture);
// "03 landscape · SSIM 0.99213" of the cell against its reference, with pictures of the
// environment; the name alone where unknown, and where the weights are random.
[[nodiscard]] QString pictureName(const core::RunData& data, const core::PlannedCell& cell,
                                  const std::string& environmentId, int picture);
// Pictures of the run of which outputs are kept.
[[nodiscard]] int pictureCount(const core::RunData& data);

}  // namespace qs::widgets
