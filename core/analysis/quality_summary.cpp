#include "core/analysis/quality_summary.h"

#include "core/analysis/noise_floors.h"
#include "core/base/format.h"
#include "core/stats/verdict.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace qs::core {

namespace {

void fillGolden(const PlannedCell& cell, const QualityIndex& qualities,
                const QualityContext& context, CellSummary& summary)
{
    if (context.goldenId.empty() || context.goldenId == cell.id)
        return;
    if (auto figures = qualities.figures(cell, context.goldenId, context.environmentId))
        summary.golden = GoldenDistance{.cellId = context.goldenId, .figures = std::move(*figures)};
}

NoiseResult noiseResultOf(const QualityFigures& figures, const NoiseFloor& floor)
{
    if (figures.identical)
        return NoiseResult::Deterministic;
    const bool known = figures.finer && floor.finer;
    const bool finerAtFloor = !known || (figures.finer->mean <= floor.finer->mean &&
                                         figures.finer->worst <= floor.finer->worst);
    return figures.distance <= floor.distance && figures.worstDistance <= floor.worstDistance &&
                   finerAtFloor
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

// Of a floor that at least one run has set.
void holdAgainstFloor(const NoiseFloor& floor, const QualityFigures& figures, CellSummary& summary)
{
    const auto multiple = [&](double distance, double ofFloor) -> std::optional<double> {
        if (ofFloor > 0.0)
            return distance / ofFloor;
        return figures.identical ? std::optional(0.0) : std::nullopt;
    };
    // Equal choices are no distance, however large that of the floor is.
    const auto larger = [&](double distance, double ofFloor, double FinerDistance::*finer) {
        const auto coarse = multiple(distance, ofFloor);
        if (!figures.finer || !floor.finer)
            return coarse;
        const auto fine = multiple(*figures.finer.*finer, *floor.finer.*finer);
        if (distance == 0.0)
            return fine;
        return coarse && fine ? std::optional(std::max(*coarse, *fine)) : std::nullopt;
    };
    summary.noiseMultiple = larger(figures.distance, floor.distance, &FinerDistance::mean);
    summary.worstNoiseMultiple =
        larger(figures.worstDistance, floor.worstDistance, &FinerDistance::worst);
    if (!floor.complete())
        return;
    summary.noiseResult = noiseResultOf(figures, floor);
    std::vector<double> ofCell;
    std::vector<double> ofFloor;
    for (std::size_t i = 0; i < figures.samples.size(); ++i) {
        const auto largest = floor.samples.find(figures.samples[i]);
        if (largest == floor.samples.end())
            continue;
        ofCell.push_back(figures.distances[i]);
        ofFloor.push_back(largest->second);
    }
    summary.qualityClaim = QualityClaim{weighAgainstFloor(ofCell, ofFloor, floor.distance)};
}

}  // namespace

void fillQuality(const PlannedCell& cell, const QualityIndex& qualities,
                 const QualityContext& context, CellSummary& summary)
{
    fillGolden(cell, qualities, context, summary);
    if (cell.trained) {
        summary.reconstruction = qualities.figures(cell, kInputId, context.environmentId);
        summary.rightShare = qualities.rightShare(cell, context.environmentId);
        summary.textLoss = qualities.textLoss(cell, context.environmentId);
    }
    summary.fromUncompiled = qualities.fromUncompiled(cell, context.environmentId);
    if (cell.referenceId.empty() || cell.referenceId == cell.id)
        return;
    summary.quality = qualities.figures(cell, cell.referenceId, context.environmentId);
    if (summary.quality) {
        if (summary.identical())
            summary.noiseResult = NoiseResult::Deterministic;
        if (context.floor != nullptr && !context.floor->setBy.empty())
            holdAgainstFloor(*context.floor, *summary.quality, summary);
    } else if (qualities.comparedAnywhere(cell.id, cell.referenceId)) {
        summary.notes.push_back({NoteCode::ComparedElsewhere});
    }
}

namespace {

// What a claim is judged on, for cells of which nobody can tell two apart: outputs that are the
// same bit by bit, of which the same was found. Empty where the outputs are not known, or not the
// same in all rounds: such a cell stands for itself.
std::string testKey(const CellSummary& summary, const std::string& outputs)
{
    if (outputs.empty() || !summary.qualityClaim || summary.repeatable == false)
        return {};
    const QualityEvidence& evidence = summary.qualityClaim->evidence;
    std::string key = summary.environmentId + "|" + outputs;
    for (const double figure :
         {evidence.closer.value, evidence.margin, evidence.worse, summary.quality->worstDistance})
        key += "|" + formatExact(figure);
    return key;
}

// Cells that are judged by one test.
struct QualityTest {
    std::vector<CellSummary*> cells;
    double claim = 1.0;
};

std::vector<QualityTest> testsOf(std::vector<CellSummary>& cells, const OutputsOfCell& outputsOf)
{
    std::vector<QualityTest> tests;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        CellSummary& summary = cells[i];
        const PlannedCell* cell = summary.cell;
        if (cell == nullptr || cell->referenceId.empty() || cell->referenceId == cell->id ||
            isNoiseFloorRun(*cell) || !cell->possible())
            continue;
        const std::string key = testKey(summary, outputsOf(i));
        const auto known = key.empty() ? places.end() : places.find(key);
        if (known != places.end()) {
            tests[known->second].cells.push_back(&summary);
            continue;
        }
        if (!key.empty())
            places.emplace(key, tests.size());
        tests.push_back(
            {.cells = {&summary},
             .claim = summary.qualityClaim ? summary.qualityClaim->evidence.claim() : 1.0});
    }
    return tests;
}

}  // namespace

void judgeQualities(std::vector<CellSummary>& cells, const OutputsOfCell& outputsOf)
{
    // A noise-floor run lies at its floor or below it.
    for (CellSummary& summary : cells) {
        if (summary.cell != nullptr && isNoiseFloorRun(*summary.cell) && summary.qualityClaim)
            summary.qualityVerdict = judge(summary.qualityClaim->evidence, 1.0);
    }
    std::vector<double> claims;
    const std::vector<QualityTest> tests = testsOf(cells, outputsOf);
    for (const QualityTest& test : tests)
        claims.push_back(test.claim);
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        for (CellSummary* summary : tests[i].cells) {
            if (!summary->qualityClaim)
                continue;
            summary->qualityClaim->pValue = adjusted[i];
            summary->qualityClaim->cells = static_cast<int>(tests[i].cells.size());
            summary->qualityVerdict = judge(summary->qualityClaim->evidence, adjusted[i]);
        }
    }
}

}  // namespace qs::core
