#include "core/sweep/plan.h"
#include "core/sweep/plan_needs.h"

#include <algorithm>
#include <numeric>

namespace qs::core {

bool isGoldenRun(const PlannedCell& cell)
{
    return cell.rerun == 0 && allStagesAre(cell.config, "fp32") && cell.config.compile == "none" &&
           cell.config.layers == "all" && !cell.referenceId.empty();
}

std::string calibrationFolderOf(const PlannedCell& cell)
{
    constexpr std::size_t kLetters = 16;
    return std::string(kCalibrationFolder) + "/" + cell.calibration.substr(0, kLetters);
}

const PlannedCell* Plan::find(const std::string& id) const
{
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const PlannedCell& cell) { return cell.id == id; });
    return found == cells.end() ? nullptr : &*found;
}

int Plan::possibleCells() const
{
    return static_cast<int>(std::count_if(cells.begin(), cells.end(),
                                          [](const PlannedCell& cell) { return cell.possible(); }));
}

int Plan::rounds() const
{
    int rounds = preset.rounds;
    for (const PlannedCell& cell : cells) {
        for (const RoundSpan& span : cell.rounds)
            rounds = std::max(rounds, span.end());
    }
    return rounds;
}

bool Plan::hasRound(const PlannedCell& cell, int round) const
{
    if (cell.rounds.empty())
        return round >= 0 && round < preset.rounds;
    return std::any_of(cell.rounds.begin(), cell.rounds.end(), [&](const RoundSpan& span) {
        return round >= span.first && round < span.end();
    });
}

int Plan::roundsOf(const PlannedCell& cell) const
{
    if (cell.rounds.empty())
        return preset.rounds;
    return std::accumulate(cell.rounds.begin(), cell.rounds.end(), 0,
                           [](int sum, const RoundSpan& span) { return sum + span.count; });
}

void Plan::addRounds(PlannedCell& cell, const RoundSpan& span) const
{
    if (cell.rounds.empty())
        cell.rounds.push_back({0, preset.rounds});
    cell.rounds.push_back(span);
}

int Plan::plannedRows() const
{
    int rows = 0;
    for (const PlannedCell& cell : cells)
        rows += cell.possible() ? roundsOf(cell) : 0;
    return rows;
}

double Plan::estimatedSeconds() const
{
    double seconds = 0.0;
    for (const PlannedCell& cell : cells)
        seconds += cell.possible() ? roundsOf(cell) * cell.estimatedSeconds : 0.0;
    return seconds;
}

double Plan::compileSeconds() const
{
    double seconds = 0.0;
    for (const PlannedCell& cell : cells)
        seconds += cell.possible() ? roundsOf(cell) * cell.compileSeconds : 0.0;
    return seconds;
}

std::int64_t Plan::estimatedBytes() const
{
    return needsOf(*this).diskBytes;
}

bool isUntrained(const Plan& plan)
{
    return !plan.cells.empty() &&
           std::none_of(plan.cells.begin(), plan.cells.end(),
                        [](const PlannedCell& cell) { return cell.trained; });
}

bool scoresLabels(const Plan& plan)
{
    return std::any_of(plan.cells.begin(), plan.cells.end(), [](const PlannedCell& cell) {
        return cell.trained &&
               (cell.output == OutputKind::Classes || cell.output == OutputKind::Embedding);
    });
}

}  // namespace qs::core
