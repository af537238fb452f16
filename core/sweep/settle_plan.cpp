#include "core/sweep/settle_plan.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace qs::core {

namespace {

Error refusal(const std::string& why)
{
    return {ErrorCode::InvalidArgument, "cannot add rounds: " + why};
}

// In the order of the run.
std::vector<PlannedCell> cellsOf(const Plan& run, const SettleRequest& request)
{
    std::unordered_set<std::string_view> wanted(request.cellIds.begin(), request.cellIds.end());
    wanted.insert(request.baselineIds.begin(), request.baselineIds.end());
    std::vector<PlannedCell> cells;
    std::copy_if(run.cells.begin(), run.cells.end(), std::back_inserter(cells),
                 [&](const PlannedCell& cell) { return wanted.contains(cell.id); });
    return cells;
}

std::string titleOf(std::size_t comparisons, int rounds)
{
    return "settle " + std::to_string(comparisons) +
           (comparisons == 1 ? " comparison with " : " comparisons with ") +
           std::to_string(rounds) + (rounds == 1 ? " more round" : " more rounds");
}

}  // namespace

Plan settleAddition(const Plan& run, const SettleRequest& request)
{
    Plan addition;
    addition.preset = run.preset;
    addition.preset.rounds = request.rounds;
    addition.cells = cellsOf(run, request);
    for (PlannedCell& cell : addition.cells)
        cell.rounds.clear();
    Look look;
    look.rounds.count = request.rounds;
    std::copy_if(request.cellIds.begin(), request.cellIds.end(), std::back_inserter(look.cellIds),
                 [&](const std::string& id) { return run.find(id) != nullptr; });
    addition.preset.name = titleOf(look.cellIds.size(), request.rounds);
    addition.looks.push_back(std::move(look));
    return addition;
}

Result<Plan> settlePlan(const Plan& run, const Plan& addition)
{
    QS_ASSERT(!addition.looks.empty());
    Look look = addition.looks.front();
    if (look.cellIds.empty())
        return refusal("no comparison is undecided");
    if (addition.preset.rounds < 1 || addition.preset.rounds > kMostSettleRounds)
        return refusal("1 to " + std::to_string(kMostSettleRounds) +
                       " more rounds are allowed, not " + std::to_string(addition.preset.rounds));
    Plan plan = run;
    look.rounds = {run.rounds(), addition.preset.rounds};
    for (const PlannedCell& wanted : addition.cells) {
        const auto cell =
            std::find_if(plan.cells.begin(), plan.cells.end(),
                         [&](const PlannedCell& each) { return each.id == wanted.id; });
        if (cell == plan.cells.end())
            return refusal("cell " + wanted.id + " is not a cell of this run");
        if (!cell->possible())
            return refusal("cell " + wanted.id + " cannot run here");
        plan.addRounds(*cell, look.rounds);
    }
    plan.looks.push_back(std::move(look));
    return plan;
}

}  // namespace qs::core
