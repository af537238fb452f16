#include "core/record/speed_baseline.h"

#include "core/stats/quantiles.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

std::pair<std::int64_t, std::int64_t> shapeOf(const CellConfig& config)
{
    return {config.batch, config.imageSize};
}

// Reruns stand for the noise of the reference; none of them is a baseline.
bool differsInShapeOnly(const PlannedCell& cell, const PlannedCell& other)
{
    CellConfig config = cell.config;
    config.batch = other.config.batch;
    config.imageSize = other.config.imageSize;
    return config == other.config && cell.rerun == other.rerun;
}

using Pairs = std::pair<std::vector<double>, std::vector<double>>;

// Of the rounds that both have; `figure` gives what is paired, if the round has it. Rounds ascend
// on both sides.
template <typename Figure>
Pairs pairedFigures(const std::vector<CountedRound>& first, const std::vector<CountedRound>& second,
                    Figure figure)
{
    Pairs paired;
    auto at = first.begin();
    for (const CountedRound& each : second) {
        at = std::find_if(at, first.end(), [&](const CountedRound& round) {
            return round.row->round >= each.row->round;
        });
        if (at == first.end())
            break;
        const std::optional<double> ofFirst = figure(*at);
        const std::optional<double> ofSecond = figure(each);
        if (at->row->round != each.row->round || !ofFirst || !ofSecond)
            continue;
        paired.first.push_back(*ofFirst);
        paired.second.push_back(*ofSecond);
    }
    return paired;
}

Pairs pairedSeconds(const std::vector<CountedRound>& first, const std::vector<CountedRound>& second)
{
    return pairedFigures(first, second, [](const CountedRound& round) {
        return round.timed() ? std::optional(round.seconds) : std::nullopt;
    });
}

// Nothing unless the clock is known in each of the `pairs` rounds that the ratio is formed of.
std::optional<RatioEvidence> weighCycles(const std::vector<CountedRound>& baseline,
                                         const std::vector<CountedRound>& cell, std::size_t pairs)
{
    const Pairs cycles = pairedFigures(baseline, cell, [](const CountedRound& round) {
        return round.timed() ? round.cycles : std::nullopt;
    });
    if (cycles.first.size() < pairs)
        return std::nullopt;
    return weighRatio(cycles.first, cycles.second);
}

// The cycles of each timed round; fewer if the clock is not known in all of them.
std::vector<RoundSamples> cyclesOf(const std::vector<CountedRound>& rounds)
{
    std::vector<RoundSamples> cycles;
    for (const CountedRound& each : rounds) {
        if (each.timed() && each.cycles)
            cycles.push_back({*each.cycles});
    }
    return cycles;
}

std::size_t timedRounds(const std::vector<CountedRound>& rounds)
{
    return static_cast<std::size_t>(std::count_if(
        rounds.begin(), rounds.end(), [](const CountedRound& each) { return each.timed(); }));
}

// Nothing unless the clock is known in every timed round of both.
std::optional<RatioEvidence> weighUnpairedCycles(const std::vector<CountedRound>& baseline,
                                                 const std::vector<CountedRound>& cell)
{
    const std::vector<RoundSamples> ofBaseline = cyclesOf(baseline);
    const std::vector<RoundSamples> ofCell = cyclesOf(cell);
    if (ofBaseline.size() < timedRounds(baseline) || ofCell.size() < timedRounds(cell))
        return std::nullopt;
    return weighUnpaired(ofBaseline, ofCell);
}

// So many evenly spaced order statistics stand for the samples of a round when it is resampled:
// neighbouring samples repeat each other, so that all of them would make the interval too narrow,
// and thousands of samples ten thousand times are minutes.
constexpr std::size_t kThinned = 16;

RoundSamples thinned(const std::vector<double>& samples)
{
    if (samples.size() <= kThinned)
        return samples;
    const std::vector<double> ascending = sorted(samples);
    RoundSamples few;
    for (std::size_t i = 0; i < kThinned; ++i)
        few.push_back(quantile(ascending, (static_cast<double>(i) + 0.5) / kThinned));
    return few;
}

std::vector<RoundSamples> thinnedSamples(const std::vector<CountedRound>& rounds)
{
    std::vector<RoundSamples> samples;
    for (const CountedRound& each : rounds) {
        if (each.timed())
            samples.push_back(thinned(each.row->result.passSeconds()));
    }
    return samples;
}

}  // namespace

SpeedBaseline::SpeedBaseline(const Plan& plan, const CountedRounds& rounds, std::string choice)
    : m_plan(plan), m_rounds(rounds), m_choice(std::move(choice))
{
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        const PlannedCell& cell = plan.cells[i];
        const CellConfig& config = cell.config;
        m_indices.emplace(cell.id, i);
        if (cell.rerun == 0 && allStagesAre(config, "bf16"))
            m_bf16Cells[{config.model, config.device, config.batch, config.imageSize}].push_back(i);
    }
    if (const auto chosen = indexOf(m_choice)) {
        for (std::size_t i = 0; i < plan.cells.size(); ++i) {
            if (differsInShapeOnly(plan.cells[i], plan.cells[*chosen]))
                m_chosenByShape.emplace(shapeOf(plan.cells[i].config), i);
        }
    }
}

void SpeedBaseline::fill(std::size_t cell, CellSummary& summary)
{
    const auto baseline = baselineOf(cell);
    if (!baseline)
        return;
    summary.baselineId = m_plan.cells[*baseline].id;
    compare(cell, *baseline, summary);
}

void SpeedBaseline::compare(std::size_t cell, std::size_t baseline, CellSummary& summary) const
{
    const std::string environment = m_rounds.environmentOf(cell);
    const std::vector<CountedRound>& ofBaseline = m_rounds.rounds(baseline, environment);
    const std::vector<CountedRound>& ofCell = m_rounds.rounds(cell, environment);
    const Pairs paired = pairedSeconds(ofBaseline, ofCell);
    RatioEvidence evidence;
    std::optional<RatioEvidence> cycles;
    if (paired.first.size() < kRoundsForInterval && timedRounds(ofBaseline) >= kRoundsForInterval &&
        timedRounds(ofCell) >= kRoundsForInterval) {
        evidence = weighUnpaired(thinnedSamples(ofBaseline), thinnedSamples(ofCell));
        cycles = weighUnpairedCycles(ofBaseline, ofCell);
        summary.notes.emplace_back("its rounds could not be paired with those of its speed "
                                   "baseline: drift between them is not cancelled");
    } else if (!paired.first.empty()) {
        evidence = weighRatio(paired.first, paired.second);
        cycles = weighCycles(ofBaseline, ofCell, paired.first.size());
    } else {
        return;
    }
    summary.speedup = evidence.ratio.value;
    // Against itself the ratio is exactly 1; an interval would claim that it was measured.
    if (baseline == cell)
        return;
    if (evidence.ratio.count >= kRoundsForInterval)
        summary.speedupInterval = evidence.ratio.interval;
    summary.claim = SpeedClaim{.evidence = evidence, .cycles = cycles};
}

std::optional<std::size_t> SpeedBaseline::baselineOf(std::size_t cell)
{
    if (m_choice == "best-bf16")
        return bestBf16(cell);
    if (m_choice == "bf16-eager")
        return indexOf(m_plan.cells[cell].referenceId);
    return chosenCell(cell);
}

std::optional<std::size_t> SpeedBaseline::bestBf16(std::size_t cell)
{
    const CellConfig& config = m_plan.cells[cell].config;
    const Group group{config.model, config.device, config.batch, config.imageSize};
    const std::string environment = m_rounds.environmentOf(cell);
    const auto [known, isNew] = m_bestKnown.try_emplace({group, environment});
    const auto candidates = m_bf16Cells.find(group);
    if (!isNew || candidates == m_bf16Cells.end())
        return known->second;
    for (const std::size_t candidate : candidates->second) {
        if (m_rounds.medianSeconds(candidate, environment) &&
            (!known->second || isFaster(candidate, *known->second, environment)))
            known->second = candidate;
    }
    return known->second;
}

// In the rounds that both have, if any: rounds that were added to settle something else must not
// decide which cell is the baseline.
bool SpeedBaseline::isFaster(std::size_t cell, std::size_t other,
                             const std::string& environment) const
{
    const Pairs paired =
        pairedSeconds(m_rounds.rounds(cell, environment), m_rounds.rounds(other, environment));
    if (paired.first.empty())
        return m_rounds.medianSeconds(cell, environment) <
               m_rounds.medianSeconds(other, environment);
    return median(paired.first) < median(paired.second);
}

std::optional<std::size_t> SpeedBaseline::chosenCell(std::size_t cell) const
{
    const auto found = m_chosenByShape.find(shapeOf(m_plan.cells[cell].config));
    if (found == m_chosenByShape.end())
        return std::nullopt;
    return found->second;
}

std::optional<std::size_t> SpeedBaseline::indexOf(const std::string& id) const
{
    const auto found = m_indices.find(id);
    if (found == m_indices.end())
        return std::nullopt;
    return found->second;
}

}  // namespace qs::core
