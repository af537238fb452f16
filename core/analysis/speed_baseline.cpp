#include "core/analysis/speed_baseline.h"

#include "core/analysis/round_pairs.h"
#include "core/analysis/round_samples.h"
#include "core/stats/moments.h"
#include "core/sweep/baseline_frames.h"
#include "core/sweep/speed_baseline_name.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::core {

namespace {

// What is paired of each pair, on both sides.
struct PairedFigures {
    std::vector<double> ofBaseline;
    std::vector<double> ofCell;
};

PairedFigures secondsOf(const std::vector<RoundPair>& pairs)
{
    PairedFigures seconds;
    for (const RoundPair& pair : pairs) {
        seconds.ofBaseline.push_back(pair.baseline->seconds());
        seconds.ofCell.push_back(pair.cell->seconds());
    }
    return seconds;
}

// ln of what both vary by inside their rounds.
std::optional<double> roundSpread(const std::vector<RoundPair>& pairs)
{
    double sum = 0.0;
    for (const RoundPair& pair : pairs) {
        if (!pair.baseline->row->variance || !pair.cell->row->variance)
            return std::nullopt;
        sum += *pair.baseline->row->variance + *pair.cell->row->variance;
    }
    if (!(sum > 0.0))
        return std::nullopt;
    return std::log(sum / static_cast<double>(pairs.size()));
}

RatioEvidence weighPairs(const std::vector<RoundPair>& pairs)
{
    const PairedFigures seconds = secondsOf(pairs);
    RatioEvidence evidence = weighRatio(seconds.ofBaseline, seconds.ofCell);
    evidence.logVariance.spread = roundSpread(pairs);
    return evidence;
}

// Nothing unless the clock is known in each of the rounds.
std::optional<RatioEvidence> weighCycles(const std::vector<RoundPair>& pairs)
{
    PairedFigures cycles;
    for (const RoundPair& pair : pairs) {
        if (!pair.baseline->row->cycles || !pair.cell->row->cycles)
            return std::nullopt;
        cycles.ofBaseline.push_back(*pair.baseline->row->cycles);
        cycles.ofCell.push_back(*pair.cell->row->cycles);
    }
    RatioEvidence evidence = weighRatio(cycles.ofBaseline, cycles.ofCell);
    evidence.logVariance.spread = roundSpread(pairs);
    return evidence;
}

// The cycles of each timed round; fewer if the clock is not known in all of them.
std::vector<RoundSamples> cyclesOf(const std::vector<CountedRound>& rounds)
{
    std::vector<RoundSamples> cycles;
    for (const CountedRound& each : rounds) {
        if (each.timed() && each.row->cycles)
            cycles.push_back({*each.row->cycles});
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

// Of the pairs that cancel drift, or, if those are too few for an interval, of all rounds without
// pairing them; of the pairs that there are if neither will do.
std::optional<SpeedClaim> weighRounds(const std::vector<CountedRound>& ofBaseline,
                                      const std::vector<CountedRound>& ofCell,
                                      std::vector<Note>& notes)
{
    const std::vector<RoundPair> pairs = pairRounds(ofBaseline, ofCell);
    const std::vector<RoundPair> near = nearPairs(pairs);
    const bool enough = near.size() >= kRoundsForInterval;
    if (auto note = farApartNote(pairs, enough))
        notes.push_back(std::move(*note));
    if (!enough && timedRounds(ofBaseline) >= kRoundsForInterval &&
        timedRounds(ofCell) >= kRoundsForInterval) {
        notes.push_back({NoteCode::RoundsUnpaired});
        return SpeedClaim{.evidence =
                              weighUnpaired(thinnedSamples(ofBaseline), thinnedSamples(ofCell)),
                          .cycles = weighUnpairedCycles(ofBaseline, ofCell)};
    }
    const std::vector<RoundPair>& used = near.empty() ? pairs : near;
    if (used.empty())
        return std::nullopt;
    return SpeedClaim{.evidence = weighPairs(used), .cycles = weighCycles(used)};
}

}  // namespace

SpeedBaseline::SpeedBaseline(const Plan& plan, const CountedRounds& rounds, std::string choice)
    : m_plan(plan),
      m_rounds(rounds),
      m_choice(std::move(choice)),
      m_isBest(bestPrecision(m_choice).has_value())
{
    for (std::size_t i = 0; i < plan.cells.size(); ++i)
        m_indices.emplace(plan.cells[i].id, i);
    m_chosen = plan.find(m_choice);
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        m_frames.push_back(baselineFrame(m_choice, plan.cells[i].config));
        if (canBeBaseline(m_choice, m_chosen, plan.cells[i]))
            m_framed[m_frames.back()].push_back(i);
    }
}

void SpeedBaseline::fill(std::size_t cell, CellSummary& summary)
{
    const auto baseline = baselineOf(cell);
    if (!baseline)
        return;
    summary.baselineId = m_plan.cells[*baseline].id;
    compare(cell, *baseline, candidatesFor(cell), summary);
}

void SpeedBaseline::compare(std::size_t cell, std::size_t baseline, int candidates,
                            CellSummary& summary) const
{
    const std::string environment = m_rounds.environmentOf(cell);
    const std::vector<CountedRound>& ofBaseline = m_rounds.rounds(baseline, environment);
    const std::vector<CountedRound>& ofCell = m_rounds.rounds(cell, environment);
    auto claim = weighRounds(ofBaseline, ofCell, summary.notes);
    if (!claim)
        return;
    claim->evidence.candidates = candidates;
    summary.speedup = claim->evidence.ratio.value;
    // Against itself the ratio is exactly 1; an interval would claim that it was measured.
    if (baseline == cell)
        return;
    if (claim->evidence.ratio.count >= kRoundsForInterval)
        summary.speedupInterval = claim->evidence.ratio.interval;
    summary.claim = claim;
}

std::optional<std::size_t> SpeedBaseline::baselineOf(std::size_t cell)
{
    if (m_isBest)
        return bestCell(cell).cell;
    if (m_choice == "bf16-eager") {
        // The reference makes passes over inputs on the device, whatever the cell does.
        const auto reference = indexOf(m_plan.cells[cell].referenceId);
        const CellConfig& config = m_plan.cells[cell].config;
        if (!reference || m_plan.cells[*reference].config.workload != config.workload)
            return std::nullopt;
        return startsAlike(m_plan.cells[*reference].config, config) ? reference : framedCell(cell);
    }
    return framedCell(cell);
}

int SpeedBaseline::candidatesFor(std::size_t cell)
{
    if (!m_isBest)
        return 1;
    const bool isOne = canBeBaseline(m_choice, m_chosen, m_plan.cells[cell]) &&
                       m_rounds.meanSeconds(cell, m_rounds.environmentOf(cell));
    return std::max(1, bestCell(cell).candidates - (isOne ? 1 : 0));
}

const SpeedBaseline::Best& SpeedBaseline::bestCell(std::size_t cell)
{
    const std::string& frame = m_frames[cell];
    const std::string environment = m_rounds.environmentOf(cell);
    const auto [known, isNew] = m_bestKnown.try_emplace({frame, environment});
    const auto candidates = m_framed.find(frame);
    Best& best = known->second;
    if (!isNew || candidates == m_framed.end())
        return best;
    for (const std::size_t candidate : candidates->second) {
        if (!m_rounds.meanSeconds(candidate, environment))
            continue;
        ++best.candidates;
        if (!best.cell || isFaster(candidate, *best.cell, environment))
            best.cell = candidate;
    }
    return best;
}

// In the rounds that both have, if any: rounds that were added to settle something else must not
// decide which cell is the baseline.
bool SpeedBaseline::isFaster(std::size_t cell, std::size_t other,
                             const std::string& environment) const
{
    const std::vector<RoundPair> pairs =
        pairRounds(m_rounds.rounds(cell, environment), m_rounds.rounds(other, environment));
    const std::vector<RoundPair> near = nearPairs(pairs);
    if (pairs.empty())
        return m_rounds.meanSeconds(cell, environment) < m_rounds.meanSeconds(other, environment);
    const PairedFigures seconds = secondsOf(near.empty() ? pairs : near);
    return geometricMean(seconds.ofBaseline) < geometricMean(seconds.ofCell);
}

// Of those that differ in their layers alone: with the same ones if there is one.
std::optional<std::size_t> SpeedBaseline::framedCell(std::size_t cell) const
{
    const CellConfig& config = m_plan.cells[cell].config;
    const auto found = m_framed.find(m_frames[cell]);
    if (found == m_framed.end())
        return std::nullopt;
    const auto same =
        std::find_if(found->second.begin(), found->second.end(), [&](std::size_t each) {
            return m_plan.cells[each].config.layers == config.layers;
        });
    return same == found->second.end() ? found->second.front() : *same;
}

std::optional<std::size_t> SpeedBaseline::indexOf(const std::string& id) const
{
    const auto found = m_indices.find(id);
    if (found == m_indices.end())
        return std::nullopt;
    return found->second;
}

}  // namespace qs::core
