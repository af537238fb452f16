#include "core/record/quality_figures.h"

#include "core/record/cell_label.h"
#include "core/stats/moments.h"
#include "core/stats/verdict.h"

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

bool isIdentical(const PictureQuality& quality)
{
    // PSNR is of clamped values; outputs may still differ beyond the range.
    return !quality.psnr && quality.maximumDifference == 0.0;
}

QualityFigures figuresOf(const std::map<int, const PictureQuality*>& pictures)
{
    QualityFigures figures;
    Moments ssim;
    Moments psnr;
    Moments msSsim;
    Moments flip;
    Moments difference;
    Moments relative;
    Moments cosine;
    figures.identical = true;
    for (const auto& [picture, quality] : pictures) {
        if (ssim.count() == 0 || quality->ssim < figures.ssimWorst) {
            figures.ssimWorst = quality->ssim;
            figures.worstPicture = picture;
        }
        ssim.add(quality->ssim);
        figures.maximumDifference = std::max(figures.maximumDifference, quality->maximumDifference);
        difference.add(quality->meanDifference);
        if (quality->relativeL2)
            relative.add(*quality->relativeL2);
        if (quality->cosineSimilarity)
            cosine.add(*quality->cosineSimilarity);
        if (quality->psnr)
            psnr.add(*quality->psnr);
        if (quality->msSsim)
            msSsim.add(*quality->msSsim);
        if (quality->flip)
            flip.add(*quality->flip);
        figures.pictures.push_back(picture);
        figures.distances.push_back(isIdentical(*quality) ? 0.0
                                                          : std::max(0.0, 1.0 - quality->ssim));
        figures.identical = figures.identical && isIdentical(*quality);
    }
    figures.ssimMean = ssim.mean();
    figures.meanDifference = difference.mean();
    if (psnr.count() > 0)
        figures.psnrMean = psnr.mean();
    // A mean over some of the pictures would be one of other pictures than that of SSIM.
    if (msSsim.count() == ssim.count())
        figures.msSsimMean = msSsim.mean();
    if (flip.count() == ssim.count()) {
        figures.flipMean = flip.mean();
        figures.flipWorst = flip.maximum();
    }
    if (relative.count() == ssim.count())
        figures.relativeL2 = relative.mean();
    if (cosine.count() == ssim.count())
        figures.cosineSimilarity = cosine.mean();
    return figures;
}

}  // namespace

double QualityFigures::distance() const
{
    return identical ? 0.0 : std::max(0.0, 1.0 - ssimMean);
}

double QualityFigures::worstDistance() const
{
    return identical ? 0.0 : std::max(0.0, 1.0 - ssimWorst);
}

QualityIndex::QualityIndex(const std::vector<PictureQuality>& qualities)
{
    for (const PictureQuality& quality : qualities)
        m_byCell[quality.cellId].push_back(&quality);
}

std::optional<QualityFigures> QualityIndex::figures(const std::string& cellId,
                                                    const std::string& referenceId,
                                                    const std::string& environmentId) const
{
    const auto found = m_byCell.find(cellId);
    if (found == m_byCell.end())
        return std::nullopt;
    std::map<int, const PictureQuality*> pictures;
    for (const PictureQuality* quality : found->second) {
        if (quality->referenceId == referenceId && quality->isOf(environmentId))
            pictures[quality->picture] = quality;
    }
    if (pictures.empty())
        return std::nullopt;
    return figuresOf(pictures);
}

bool QualityIndex::comparedAnywhere(const std::string& cellId, const std::string& referenceId) const
{
    const auto found = m_byCell.find(cellId);
    return found != m_byCell.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](const auto* quality) { return quality->referenceId == referenceId; });
}

bool isNoiseFloorRun(const PlannedCell& cell)
{
    if (cell.referenceId.empty() || cell.referenceId == cell.id)
        return false;
    const CellConfig& config = cell.config;
    if (cell.role == CellRole::NoiseFloor || cell.rerun > 0)
        return true;
    if (allStagesAre(config, "fp32"))
        return config.compile == "none" && config.layers == "all";
    return allStagesAre(config, "bf16") &&
           (config.compile == "cuda-graph" || config.compile.starts_with("inductor-"));
}

bool isGoldenRun(const PlannedCell& cell)
{
    return cell.rerun == 0 && allStagesAre(cell.config, "fp32") && cell.config.compile == "none" &&
           cell.config.layers == "all" && !cell.referenceId.empty();
}

const PlannedCell* goldenRunOf(const Plan& plan, const std::string& referenceId)
{
    const auto found =
        std::find_if(plan.cells.begin(), plan.cells.end(), [&](const PlannedCell& cell) {
            return cell.referenceId == referenceId && isGoldenRun(cell);
        });
    return found == plan.cells.end() ? nullptr : &*found;
}

namespace {

// The status of a cell that has failed and was ok in no round; else nothing.
std::optional<CellStatus> failureOf(const std::vector<CountedRound>& rounds)
{
    std::optional<CellStatus> failure;
    for (const CountedRound& each : rounds) {
        const CellStatus status = each.row->status;
        if (each.row->ok())
            return std::nullopt;
        if (status != CellStatus::Cancelled && status != CellStatus::Skipped)
            failure = status;
    }
    return failure;
}

void addSeen(NoiseFloor& floor, const PlannedCell& cell, const QualityFigures& figures)
{
    const bool isFirst = floor.setBy.empty();
    ++floor.seen;
    floor.deterministic = figures.identical && (isFirst || floor.deterministic);
    floor.worstDistance = std::max(floor.worstDistance, figures.worstDistance());
    if (isFirst || figures.distance() > floor.distance) {
        floor.distance = figures.distance();
        floor.setBy = cell.id;
    }
}

// A run of the floor with its rounds in the environment of the floor.
void addToFloor(NoiseFloor& floor, const PlannedCell& cell, const std::vector<CountedRound>& rounds,
                const QualityIndex& qualities)
{
    const auto figures = qualities.figures(cell.id, cell.referenceId, floor.environmentId);
    const auto failure = failureOf(rounds);
    if (figures)
        addSeen(floor, cell, *figures);
    if (outputsRepeat(rounds) == false || floor.referenceRepeats == false)
        floor.deterministic = false;
    if (!figures && failure)
        floor.missing += (floor.missing.empty() ? "" : "; ") + cellLabel(cell) +
                         " is missing: " + std::string(name(*failure));
    if (figures || (cell.possible() && !failure))
        ++floor.planned;
}

std::optional<bool> repeats(const Plan& plan, const CountedRounds& rounds,
                            const std::string& cellId, const std::string& environment)
{
    const auto cell =
        std::find_if(plan.cells.begin(), plan.cells.end(),
                     [&](const PlannedCell& planned) { return planned.id == cellId; });
    if (cell == plan.cells.end())
        return std::nullopt;
    return outputsRepeat(
        rounds.rounds(static_cast<std::size_t>(cell - plan.cells.begin()), environment));
}

// Those that the figures of the cells come from which share a reference.
std::unordered_map<std::string, std::vector<std::string>>
environmentsByReference(const Plan& plan, const CountedRounds& rounds)
{
    std::unordered_map<std::string, std::vector<std::string>> all;
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        std::vector<std::string>& known = all[plan.cells[i].referenceId];
        const std::string environment = rounds.environmentOf(i);
        if (std::find(known.begin(), known.end(), environment) == known.end())
            known.push_back(environment);
    }
    return all;
}

}  // namespace

std::vector<NoiseFloor> noiseFloors(const Plan& plan, const CountedRounds& rounds,
                                    const QualityIndex& qualities)
{
    const auto environments = environmentsByReference(plan, rounds);
    std::vector<NoiseFloor> floors;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        const PlannedCell& cell = plan.cells[i];
        if (!isNoiseFloorRun(cell))
            continue;
        for (const std::string& environment : environments.at(cell.referenceId)) {
            const auto [place, isNew] =
                places.try_emplace({cell.referenceId, environment}, floors.size());
            if (isNew)
                floors.push_back(
                    {.referenceId = cell.referenceId,
                     .environmentId = environment,
                     .referenceRepeats = repeats(plan, rounds, cell.referenceId, environment)});
            addToFloor(floors[place->second], cell, rounds.rounds(i, environment), qualities);
        }
    }
    return floors;
}

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

void fillQuality(const PlannedCell& cell, const QualityIndex& qualities,
                 const QualityContext& context, CellSummary& summary)
{
    fillGolden(cell, qualities, context, summary);
    if (cell.trained) {
        if (const auto input = qualities.figures(cell.id, kInputId, context.environmentId)) {
            summary.reconstructionSsim = input->ssimMean;
            summary.reconstructionPsnr = input->psnrMean;
        }
    }
    if (cell.referenceId.empty() || cell.referenceId == cell.id)
        return;
    const auto figures = qualities.figures(cell.id, cell.referenceId, context.environmentId);
    if (!figures) {
        if (qualities.comparedAnywhere(cell.id, cell.referenceId))
            summary.notes.emplace_back("its pictures were compared in another environment only; "
                                       "they are not shown beside the times of this one");
        return;
    }
    summary.ssimMean = figures->ssimMean;
    summary.ssimWorst = figures->ssimWorst;
    summary.worstPicture = figures->worstPicture;
    summary.psnrMean = figures->psnrMean;
    summary.identical = figures->identical;
    summary.msSsimMean = figures->msSsimMean;
    summary.flipMean = figures->flipMean;
    summary.flipWorst = figures->flipWorst;
    summary.maximumDifference = figures->maximumDifference;
    summary.meanDifference = figures->meanDifference;
    summary.relativeL2 = figures->relativeL2;
    summary.cosineSimilarity = figures->cosineSimilarity;
    if (figures->identical)
        summary.noiseResult = NoiseResult::Deterministic;
    const NoiseFloor* floor = context.floor;
    if (floor == nullptr || floor->setBy.empty())
        return;
    const auto multiple = [&](double distance, double floorDistance) -> std::optional<double> {
        if (floorDistance > 0.0)
            return distance / floorDistance;
        return figures->identical ? std::optional(0.0) : std::nullopt;
    };
    summary.noiseMultiple = multiple(figures->distance(), floor->distance);
    summary.worstNoiseMultiple = multiple(figures->worstDistance(), floor->worstDistance);
    if (!floor->complete())
        return;
    summary.noiseResult = noiseResultOf(summary);
    // Against the reference itself, which is at no distance; what lies below the floor is the same.
    summary.qualityClaim = QualityClaim{weighQuality(
        figures->distances, std::vector<double>(figures->distances.size(), 0.0), floor->distance)};
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
