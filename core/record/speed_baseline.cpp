#include "core/record/speed_baseline.h"

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
    const std::string environment = m_rounds.environmentOf(cell);
    std::map<int, double> ofBaseline;
    for (const CountedRound& each : m_rounds.rounds(*baseline, environment)) {
        if (each.timed())
            ofBaseline.emplace(each.row->round, each.seconds);
    }
    std::vector<double> baselineSeconds;
    std::vector<double> cellSeconds;
    for (const CountedRound& each : m_rounds.rounds(cell, environment)) {
        const auto paired = ofBaseline.find(each.row->round);
        if (!each.timed() || paired == ofBaseline.end())
            continue;
        baselineSeconds.push_back(paired->second);
        cellSeconds.push_back(each.seconds);
    }
    if (cellSeconds.empty())
        return;
    const RatioEvidence evidence = weighRatio(baselineSeconds, cellSeconds);
    summary.speedup = evidence.ratio.value;
    // Against itself the ratio is exactly 1; an interval would claim that it was measured.
    if (*baseline == cell)
        return;
    if (cellSeconds.size() >= kRoundsForInterval)
        summary.speedupInterval = evidence.ratio.interval;
    summary.claim.emplace().evidence = evidence;
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
    double best = 0.0;
    for (const std::size_t candidate : candidates->second) {
        const auto seconds = m_rounds.medianSeconds(candidate, environment);
        if (seconds && (!known->second || *seconds < best)) {
            known->second = candidate;
            best = *seconds;
        }
    }
    return known->second;
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
