#include "core/analysis/noise_floors.h"

#include "core/lower/compile_mode.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace qs::core {

bool isNoiseFloorRun(const PlannedCell& cell)
{
    if (cell.referenceId.empty() || cell.referenceId == cell.id)
        return false;
    const CellConfig& config = cell.config;
    if (cell.role == CellRole::NoiseFloor || cell.rerun > 0)
        return true;
    if (allStagesAre(config, "fp32"))
        return config.compile == "none" && config.layers == "all";
    return allStagesAre(config, "bf16") && computesAsEager(config.compile);
}

namespace {

// The status of a cell that has failed and was ok in no round; else nothing.
std::optional<CellStatus> failureOf(const std::vector<CountedRound>& rounds)
{
    std::optional<CellStatus> failure;
    for (const CountedRound& each : rounds) {
        const CellStatus status = each.row->status();
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
    floor.worstDistance = std::max(floor.worstDistance, figures.worstDistance);
    if (figures.finer) {
        const FinerDistance known = floor.finer.value_or(FinerDistance());
        floor.finer = {std::max(known.mean, figures.finer->mean),
                       std::max(known.worst, figures.finer->worst)};
    }
    for (std::size_t i = 0; i < figures.samples.size(); ++i) {
        double& largest = floor.samples[figures.samples[i]];
        largest = std::max(largest, figures.distances[i]);
    }
    if (isFirst || figures.distance > floor.distance) {
        floor.distance = figures.distance;
        floor.setBy = cell.id;
    }
}

// A run of the floor with its rounds in the environment of the floor.
void addToFloor(NoiseFloor& floor, const PlannedCell& cell, const std::vector<CountedRound>& rounds,
                const QualityIndex& qualities)
{
    const auto figures = qualities.figures(cell, cell.referenceId, floor.environmentId);
    const auto failure = failureOf(rounds);
    if (figures)
        addSeen(floor, cell, *figures);
    if (outputsRepeat(rounds) == false || floor.referenceRepeats == false)
        floor.deterministic = false;
    if (!figures && failure)
        floor.failed.push_back({cell.id, *failure});
    if (figures || (cell.possible() && !failure))
        ++floor.planned;
}

using CellIndex = std::unordered_map<std::string_view, std::size_t>;

CellIndex indexOf(const Plan& plan)
{
    CellIndex index;
    for (std::size_t i = 0; i < plan.cells.size(); ++i)
        index.emplace(plan.cells[i].id, i);
    return index;
}

std::optional<bool> repeats(const CellIndex& cells, const CountedRounds& rounds,
                            const std::string& cellId, const std::string& environment)
{
    const auto cell = cells.find(cellId);
    return cell == cells.end() ? std::nullopt
                               : outputsRepeat(rounds.rounds(cell->second, environment));
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
    const CellIndex cells = indexOf(plan);
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
                     .referenceRepeats = repeats(cells, rounds, cell.referenceId, environment)});
            addToFloor(floors[place->second], cell, rounds.rounds(i, environment), qualities);
        }
    }
    return floors;
}

}  // namespace qs::core
