#include "core/sweep/append_plan.h"

#include "core/sweep/baseline_frames.h"
#include "core/sweep/settle_plan.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace qs::core {

namespace {

Status checkSameConduct(const Preset& run, const Preset& addition)
{
    const auto refuse = [&](const std::string& what) {
        return Error{ErrorCode::InvalidArgument, "\"" + addition.name +
                                                     "\" cannot be appended to this run: " + what +
                                                     "; run it separately"};
    };
    if (!(run.pictures == addition.pictures))
        return refuse("its images differ, so quality could not be compared");
    if (!(run.feeding == addition.feeding))
        return refuse("its models are fed with something else, so quality could not be compared");
    if (!(run.calibration == addition.calibration))
        return refuse("its calibration set differs");
    if (!(run.measurement == addition.measurement))
        return refuse("its measurement settings differ, so times could not be compared");
    if (run.isolation != addition.isolation)
        return refuse("its isolation differs, so times and memory could not be compared");
    return {};
}

void addDevices(Plan& plan, const Plan& addition)
{
    for (const DeviceDescription& device : addition.devices) {
        const bool known =
            std::any_of(plan.devices.begin(), plan.devices.end(),
                        [&](const DeviceDescription& each) { return each.id == device.id; });
        if (!known)
            plan.devices.push_back(device);
    }
}

// Expectations and claims hold for the run as a whole; those that speak of some cells only name
// conditions.
Status addExpectations(Preset& run, const Preset& addition)
{
    for (const Claim& claim : addition.claims) {
        if (std::find(run.claims.begin(), run.claims.end(), claim) == run.claims.end())
            run.claims.push_back(claim);
    }
    for (const Gate& gate : addition.gates) {
        if (std::find(run.gates.begin(), run.gates.end(), gate) == run.gates.end())
            run.gates.push_back(gate);
    }
    if (run.gates.size() > kMostGates || run.claims.size() > kMostClaims)
        return Error{ErrorCode::InvalidArgument,
                     "\"" + addition.name +
                         "\" cannot be appended to this run: together they exceed " +
                         std::to_string(kMostGates) + " gates or " + std::to_string(kMostClaims) +
                         " claims"};
    return {};
}

// New cells stand against cells that are measured beside them.
void repeatBaselines(Plan& plan, std::size_t before, const RoundSpan& span)
{
    const std::string& choice = plan.preset.speedBaseline;
    std::set<std::string> frames;
    for (std::size_t i = before; i < plan.cells.size(); ++i)
        frames.insert(baselineFrame(choice, plan.cells[i].config));
    const PlannedCell* const chosen = plan.find(choice);
    for (std::size_t i = 0; i < before; ++i) {
        PlannedCell& cell = plan.cells[i];
        if (canBeBaseline(choice, chosen, cell) &&
            frames.contains(baselineFrame(choice, cell.config)))
            plan.addRounds(cell, span);
    }
}

}  // namespace

Result<Plan> appendPlan(const Plan& run, const Plan& addition)
{
    if (!addition.looks.empty())
        return settlePlan(run, addition);
    QS_RETURN_IF_ERROR(checkSameConduct(run.preset, addition.preset));
    Plan plan = run;
    const RoundSpan span{run.rounds(), addition.preset.rounds};
    std::unordered_set<std::string> ids;
    for (const PlannedCell& cell : run.cells)
        ids.insert(cell.id);
    for (const PlannedCell& cell : addition.cells) {
        if (!ids.insert(cell.id).second)
            continue;
        plan.cells.push_back(cell);
        plan.cells.back().rounds = {span};
    }
    if (plan.cells.size() == run.cells.size())
        return Error{ErrorCode::InvalidArgument,
                     "every cell of \"" + addition.preset.name + "\" is already in this run"};
    repeatBaselines(plan, run.cells.size(), span);
    QS_RETURN_IF_ERROR(addExpectations(plan.preset, addition.preset));
    addDevices(plan, addition);
    plan.appended.push_back(addition.preset);
    return plan;
}

Preset presetOfCell(Preset preset, const CellConfig& cell)
{
    preset.axes.clear();
    preset.linked.clear();
    preset.exclusions.clear();
    preset.defaults = cell;
    return preset;
}

}  // namespace qs::core
