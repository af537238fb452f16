#include "core/analysis/run_comparison.h"

#include "core/analysis/counted_rounds.h"
#include "core/analysis/matched_cells.h"
#include "core/analysis/round_samples.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace qs::core {

namespace {

// The rounds of a run's cells by id, of the environment that the summaries come from.
class TimedRounds final
{
public:
    explicit TimedRounds(const RunSide& side) : m_rounds(side.data->plan, *side.figures)
    {
        for (std::size_t i = 0; i < side.data->plan.cells.size(); ++i)
            m_places.emplace(side.data->plan.cells[i].id, i);
    }

    [[nodiscard]] const std::vector<CountedRound>& of(const CellSummary& summary) const
    {
        return m_rounds.rounds(m_places.at(summary.cellId), summary.environmentId);
    }

private:
    CountedRounds m_rounds;
    std::map<std::string, std::size_t> m_places;
};

StatusChange statusChange(const CellSummary& before, const CellSummary& after)
{
    const auto ok = [](const CellSummary& summary) {
        return summary.measured && summary.status == CellStatus::Ok;
    };
    if (ok(before))
        return ok(after) ? StatusChange::BothOk : StatusChange::Broken;
    return ok(after) ? StatusChange::Mended : StatusChange::NeitherOk;
}

std::optional<double> memoryRatio(const MemoryFigures& before, const MemoryFigures& after)
{
    const auto ratio = [](const std::optional<std::int64_t>& a,
                          const std::optional<std::int64_t>& b) -> std::optional<double> {
        if (!a || !b || *a <= 0)
            return std::nullopt;
        return static_cast<double>(*b) / static_cast<double>(*a);
    };
    const auto allocated = ratio(before.allocatedPeak, after.allocatedPeak);
    return allocated ? allocated : ratio(before.processPeak, after.processPeak);
}

std::optional<SpeedClaim> weighSpeed(const std::vector<CountedRound>& before,
                                     const std::vector<CountedRound>& after)
{
    const std::vector<RoundSamples> ofBefore = thinnedSamples(before);
    const std::vector<RoundSamples> ofAfter = thinnedSamples(after);
    if (ofBefore.empty() || ofAfter.empty())
        return std::nullopt;
    SpeedClaim claim;
    claim.evidence = weighUnpaired(ofBefore, ofAfter);
    return claim;
}

std::optional<bool> identicalOutputs(const std::vector<CountedRound>& before,
                                     const std::vector<CountedRound>& after)
{
    const std::string ofBefore = outputsText(before);
    const std::string ofAfter = outputsText(after);
    if (ofBefore.empty() || ofAfter.empty())
        return std::nullopt;
    return ofBefore == ofAfter;
}

double floorOf(const RunSide& side, const CellSummary& summary)
{
    const NoiseFloor* floor = side.analysis->floorOf(summary);
    return floor == nullptr ? 0.0 : floor->distance;
}

// Nothing that is generated has a name: cells that match have the same seed.
bool haveSameInputs(const RunData& before, const RunData& after)
{
    if (!before.pictureNames.empty() || !after.pictureNames.empty())
        return before.pictureNames == after.pictureNames;
    const auto& inputs = before.plan.preset.feeding.inputs;
    return before.plan.preset.pictures == after.plan.preset.pictures &&
           inputs == after.plan.preset.feeding.inputs &&
           std::all_of(inputs.begin(), inputs.end(),
                       [](const auto& input) { return feedPaths(input.second).empty(); });
}

std::vector<const MatchedCell*> cellsWhere(const RunComparison& comparison,
                                           const std::function<bool(const MatchedCell&)>& holds)
{
    std::vector<const MatchedCell*> found;
    for (const MatchedCell& cell : comparison.cells) {
        if (holds(cell))
            found.push_back(&cell);
    }
    return found;
}

// Differences that either run's own noise floor explains are none.
std::optional<QualityChange> weighChange(const RunSide& before, const RunSide& after,
                                         const MatchedCell& cell)
{
    const auto& first = cell.before->quality;
    const auto& second = cell.after->quality;
    if (!first || !second || !cell.before->cell->trained || !cell.after->cell->trained ||
        first->samples != second->samples)
        return std::nullopt;
    QualityChange change;
    change.evidence =
        weighQuality(second->distances, first->distances,
                     std::max(floorOf(before, *cell.before), floorOf(after, *cell.after)));
    return change;
}

// Null where it is not told where the rows come from.
const DeviceDescription* deviceOf(const RunSide& side, const CellSummary& summary)
{
    const Environment* environment = side.data->environment(summary.environmentId);
    if (environment == nullptr)
        return nullptr;
    const auto& devices = environment->devices;
    const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& device) {
        return device.id == summary.cell->config.device;
    });
    return found == devices.end() ? nullptr : &*found;
}

bool hasOtherDevice(const RunSide& before, const RunSide& after, const MatchedCell& cell)
{
    const DeviceDescription* first = deviceOf(before, *cell.before);
    const DeviceDescription* second = deviceOf(after, *cell.after);
    // Where a row is missing there is nothing to judge.
    if (first == nullptr || second == nullptr)
        return cell.before->cell->config.device != cell.after->cell->config.device;
    const auto kind = [](const DeviceDescription& device) {
        return std::tie(device.name, device.kind, device.computeMajor, device.computeMinor);
    };
    return kind(*first) != kind(*second);
}

void judgeSpeeds(std::vector<MatchedCell>& cells)
{
    const VerdictRule rule;
    std::vector<double> claims;
    for (const MatchedCell& cell : cells)
        claims.push_back(cell.speed ? cell.speed->evidence.claim() : 1.0);
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!cells[i].speed)
            continue;
        SpeedClaim& claim = *cells[i].speed;
        claim.pValue = adjusted[i];
        claim.verdict = judge(claim.evidence, std::nullopt, adjusted[i], 0, rule);
        if (claim.verdict == Verdict::Ambiguous || claim.verdict == Verdict::TooFewRounds)
            claim.outlook =
                outlookOf(claim.evidence, std::nullopt, static_cast<int>(cells.size()), 0, rule);
    }
}

void judgeQualities(std::vector<MatchedCell>& cells)
{
    std::vector<QualityChange*> changes;
    std::vector<double> claims;
    for (MatchedCell& cell : cells) {
        if (!cell.quality)
            continue;
        changes.push_back(&*cell.quality);
        claims.push_back(cell.quality->evidence.claim());
    }
    const std::vector<double> adjusted = holmAdjusted(claims);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        changes[i]->pValue = adjusted[i];
        changes[i]->verdict = judge(changes[i]->evidence, adjusted[i]);
    }
}

std::vector<Environment> mainEnvironment(const RunSide& side)
{
    const Environment* found = side.data->environment(side.analysis->mainEnvironment());
    return found == nullptr ? std::vector<Environment>() : std::vector<Environment>{*found};
}

}  // namespace

RunComparison compareRuns(const RunSide& before, const RunSide& after)
{
    RunComparison comparison;
    CellMatches matches = matchCells(*before.analysis, *after.analysis);
    comparison.changed = std::move(matches.changed);
    comparison.onlyBefore = std::move(matches.onlyFirst);
    comparison.onlyAfter = std::move(matches.onlySecond);
    comparison.sameImages = haveSameInputs(*before.data, *after.data);
    std::vector<Environment> environments = mainEnvironment(before);
    for (Environment& environment : mainEnvironment(after))
        environments.push_back(std::move(environment));
    comparison.environment = compareEnvironments(environments);
    const TimedRounds ofBefore(before);
    const TimedRounds ofAfter(after);
    comparison.cells.resize(matches.pairs.size());
    inParallel(matches.pairs.size(), [&](std::size_t i) {
        MatchedCell& cell = comparison.cells[i];
        std::tie(cell.before, cell.after) = matches.pairs[i];
        cell.status = statusChange(*cell.before, *cell.after);
        const auto& first = ofBefore.of(*cell.before);
        const auto& second = ofAfter.of(*cell.after);
        cell.speed = weighSpeed(first, second);
        cell.memoryRatio = memoryRatio(cell.before->memory, cell.after->memory);
        cell.otherWeights = !cell.before->modelContent.empty() &&
                            !cell.after->modelContent.empty() &&
                            cell.before->modelContent != cell.after->modelContent;
        cell.otherDevice = hasOtherDevice(before, after, cell);
        if (!comparison.sameImages)
            return;
        cell.identical = identicalOutputs(first, second);
        cell.quality = weighChange(before, after, cell);
    });
    judgeSpeeds(comparison.cells);
    judgeQualities(comparison.cells);
    return comparison;
}

ComparisonCounts countChanges(const RunComparison& comparison)
{
    ComparisonCounts counts;
    for (const MatchedCell& cell : comparison.cells) {
        counts.broken += cell.status == StatusChange::Broken ? 1 : 0;
        counts.moreMemory += cell.memoryRatio && *cell.memoryRatio > 1.0 + kMemoryTolerance ? 1 : 0;
        if (cell.speed) {
            const Verdict verdict = cell.speed->verdict;
            counts.faster += verdict == Verdict::Faster ? 1 : 0;
            counts.slower += verdict == Verdict::Slower ? 1 : 0;
            counts.undecided +=
                verdict == Verdict::Ambiguous || verdict == Verdict::TooFewRounds ? 1 : 0;
        }
        if (cell.quality) {
            counts.better += cell.quality->verdict == QualityVerdict::Better ? 1 : 0;
            counts.worse += cell.quality->verdict == QualityVerdict::Worse ? 1 : 0;
        }
    }
    return counts;
}

std::vector<const MatchedCell*> fallenBy(const RunComparison& comparison, double limit)
{
    return cellsWhere(comparison, [&](const MatchedCell& cell) {
        return cell.quality && -cell.quality->evidence.closer.value > limit;
    });
}

std::vector<const MatchedCell*> unjudged(const RunComparison& comparison)
{
    return cellsWhere(comparison, [](const MatchedCell& cell) {
        return cell.status == StatusChange::BothOk && cell.before->quality &&
               cell.before->cell->trained && cell.after->cell->trained && !cell.quality;
    });
}

}  // namespace qs::core
