#include "core/record/quality_summary.h"

#include "core/record/noise_floors.h"
#include "core/stats/verdict.h"

#include <algorithm>

namespace qs::core {

namespace {

void fillGolden(const PlannedCell& cell, const QualityIndex& qualities,
                const QualityContext& context, CellSummary& summary)
{
    if (context.goldenId.empty() || context.goldenId == cell.id)
        return;
    if (const auto figures = qualities.figures(cell.id, context.goldenId, context.environmentId))
        summary.golden = GoldenDistance{.cellId = context.goldenId,
                                        .ssimMean = figures->ssimMean,
                                        .ssimWorst = figures->ssimWorst,
                                        .psnrMean = figures->psnrMean,
                                        .relativeL2 = figures->relativeL2,
                                        .identical = figures->identical};
}

NoiseResult noiseResultOf(const CellSummary& summary)
{
    if (summary.identical)
        return NoiseResult::Deterministic;
    const auto within = [](const std::optional<double>& multiple) {
        return multiple && *multiple <= 1.0;
    };
    return within(summary.noiseMultiple) && within(summary.worstNoiseMultiple)
               ? NoiseResult::AtFloor
               : NoiseResult::AboveFloor;
}

}  // namespace

const char* toString(NoiseResult result)
{
    switch (result) {
    case NoiseResult::Unknown:
        return "";
    case NoiseResult::Deterministic:
        return "deterministic";
    case NoiseResult::AtFloor:
        return "at the noise floor";
    case NoiseResult::AboveFloor:
        return "above the noise floor";
    }
    return "";
}

namespace {

void fillReconstruction(const PlannedCell& cell, const QualityIndex& qualities,
                        const std::string& environmentId, CellSummary& summary)
{
    if (!cell.trained)
        return;
    if (const auto input = qualities.figures(cell.id, kInputId, environmentId)) {
        summary.reconstructionSsim = input->ssimMean;
        summary.reconstructionPsnr = input->psnrMean;
    }
}

void fillDifferences(const QualityFigures& figures, CellSummary& summary)
{
    summary.ssimMean = figures.ssimMean;
    summary.ssimWorst = figures.ssimWorst;
    summary.worstPicture = figures.worstPicture;
    summary.psnrMean = figures.psnrMean;
    summary.identical = figures.identical;
    summary.msSsimMean = figures.msSsimMean;
    summary.flipMean = figures.flipMean;
    summary.flipWorst = figures.flipWorst;
    summary.maximumDifference = figures.maximumDifference;
    summary.meanDifference = figures.meanDifference;
    summary.relativeL2 = figures.relativeL2;
    summary.cosineSimilarity = figures.cosineSimilarity;
    if (figures.identical)
        summary.noiseResult = NoiseResult::Deterministic;
}

// Of a floor that at least one run has set.
void holdAgainstFloor(const NoiseFloor& floor, const QualityFigures& figures, CellSummary& summary)
{
    const auto multiple = [&](double distance, double floorDistance) -> std::optional<double> {
        if (floorDistance > 0.0)
            return distance / floorDistance;
        return figures.identical ? std::optional(0.0) : std::nullopt;
    };
    summary.noiseMultiple = multiple(figures.distance(), floor.distance);
    summary.worstNoiseMultiple = multiple(figures.worstDistance(), floor.worstDistance);
    if (!floor.complete())
        return;
    summary.noiseResult = noiseResultOf(summary);
    // Against the reference itself, which is at no distance; what lies below the floor is the same.
    const std::vector<double> ofReference(figures.distances.size(), 0.0);
    summary.qualityClaim =
        QualityClaim{weighQuality(figures.distances, ofReference, floor.distance)};
}

}  // namespace

void fillQuality(const PlannedCell& cell, const QualityIndex& qualities,
                 const QualityContext& context, CellSummary& summary)
{
    fillGolden(cell, qualities, context, summary);
    fillReconstruction(cell, qualities, context.environmentId, summary);
    if (cell.referenceId.empty() || cell.referenceId == cell.id)
        return;
    const auto figures = qualities.figures(cell.id, cell.referenceId, context.environmentId);
    if (figures) {
        fillDifferences(*figures, summary);
        if (context.floor != nullptr && !context.floor->setBy.empty())
            holdAgainstFloor(*context.floor, *figures, summary);
    } else if (qualities.comparedAnywhere(cell.id, cell.referenceId)) {
        summary.notes.emplace_back("its pictures were compared in another environment only; "
                                   "they are not shown beside the times of this one");
    }
}

void judgeQualities(std::vector<CellSummary>& cells)
{
    std::vector<CellSummary*> compared;
    std::vector<double> claims;
    for (CellSummary& summary : cells) {
        const PlannedCell* cell = summary.cell;
        if (cell == nullptr || cell->referenceId.empty() || cell->referenceId == cell->id)
            continue;
        // A noise-floor run lies at its floor or below it.
        if (isNoiseFloorRun(*cell)) {
            if (summary.qualityClaim)
                summary.qualityVerdict = judge(summary.qualityClaim->evidence, 1.0);
        } else if (cell->possible()) {
            compared.push_back(&summary);
            claims.push_back(summary.qualityClaim ? summary.qualityClaim->evidence.claim() : 1.0);
        }
    }
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < compared.size(); ++i) {
        if (auto& claim = compared[i]->qualityClaim) {
            claim->adjustedChance = adjusted[i];
            compared[i]->qualityVerdict = judge(claim->evidence, adjusted[i]);
        }
    }
}

}  // namespace qs::core
