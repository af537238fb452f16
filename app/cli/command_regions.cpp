#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/measured_cell.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/subset_search.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/lower/compile_mode.h"
#include "core/sweep/cell_member.h"

#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace qs::app {

namespace {

using core::CellConfig;
using core::Error;
using core::ErrorCode;
using core::Result;

// Cells that differ in nothing but the kinds of regions that are compiled.
struct RegionFamily {
    CellConfig config;                 // of any of them
    std::set<core::RegionKind> kinds;  // that any of them compiles
};

std::vector<RegionFamily> familiesOf(const core::Plan& plan)
{
    std::map<std::string, RegionFamily> families;
    for (const core::PlannedCell& cell : plan.cells) {
        const auto mode = core::parseCompileMode(cell.config.compile);
        if (!mode.ok() || !mode.value()->regional)
            continue;
        CellConfig config = cell.config;
        config.compile = mode.value()->name + ":" + core::besideRegions(mode.value());
        RegionFamily& family = families[core::cellKey(config)];
        family.config = cell.config;
        for (const core::RegionKind kind : core::regionsOf(mode.value()))
            family.kinds.insert(kind);
    }
    std::vector<RegionFamily> all;
    for (auto& [key, family] : families) {
        if (!family.kinds.empty())
            all.push_back(std::move(family));
    }
    return all;
}

std::string compileText(const RegionFamily& family, core::Subset subset)
{
    std::vector<core::RegionKind> chosen;
    std::size_t place = 0;
    for (const core::RegionKind kind : family.kinds) {
        if ((subset >> place++ & 1U) != 0)
            chosen.push_back(kind);
    }
    return core::withRegions(core::parseCompileMode(family.config.compile).value(), chosen);
}

// What the objective asks of a choice, beside its time.
std::string costText(core::SubsetObjective objective, double cost)
{
    switch (objective) {
    case core::SubsetObjective::Time:
        return {};
    case core::SubsetObjective::Memory:
        return core::formatBytes(cost);
    case core::SubsetObjective::BreakEven:
        break;
    }
    return std::isfinite(cost) ? core::formatSignificant(cost, 4) + " passes" : "never pays off";
}

core::Result<core::SubsetSearch> searched(const RegionsCommand& command,
                                          const std::optional<core::Gate>& limit,
                                          const RegionFamily& family)
{
    using Clock = std::chrono::steady_clock;
    const core::SubsetObjective objective = *core::kSubsetObjectives.find(command.objective);
    core::SubsetBudget budget{static_cast<std::size_t>(command.budget)};
    if (command.seconds > 0.0)
        budget.seconds = command.seconds;
    core::SubsetSearch subsets(family.kinds.size(), objective, budget);
    double eager = 0.0;
    while (const auto subset = subsets.next()) {
        CellConfig config = family.config;
        config.compile = compileText(family, *subset);
        const Clock::time_point begin = Clock::now();
        QS_TRY(const MeasuredCell cell,
               measuredCell(command.run, config, *subset == 0 ? std::nullopt : limit));
        const core::SubsetFigures& figures = cell.figures;
        if (objective == core::SubsetObjective::Memory && figures.bytes <= 0.0)
            return Error{ErrorCode::Unsupported,
                         config.compile + ": its memory is not known; use another objective"};
        subsets.told(*subset, figures, cell.meetsLimit,
                     std::chrono::duration<double>(Clock::now() - begin).count());
        eager = *subset == 0 ? figures.seconds : eager;
        say("  {:<48} {:>10}  {}x  {}{}\n", config.compile, core::formatSeconds(figures.seconds),
            core::formatSignificant(eager / figures.seconds, 4),
            *subset == 0 ? std::string() : costText(objective, subsets.cost(*subset)),
            cell.meetsLimit ? "" : "  misses the limit");
    }
    return subsets;
}

core::Status search(const RegionsCommand& command, const std::optional<core::Gate>& limit,
                    const RegionFamily& family)
{
    QS_TRY(const core::SubsetSearch subsets, searched(command, limit, family));
    const auto best = subsets.best();
    if (!best)
        return Error{ErrorCode::Unsupported,
                     limit ? "no choice meets the limit" : "no choice ever pays off"};
    say("compile={}  ({} of {} choices measured)\n", compileText(family, *best), subsets.measured(),
        std::size_t{1} << family.kinds.size());
    return {};
}

}  // namespace

int regionsCommand(const RegionsCommand& command)
{
    std::optional<core::Gate> limit;
    if (!command.limit.empty()) {
        const auto gate = core::gateFromText(command.limit);
        if (!gate.ok())
            return fail(gate.error());
        limit = gate.value();
    }
    const auto run = core::readMeasuredRun(command.run, core::RowPlace::InMemory);
    if (!run.ok())
        return fail(run.error());
    const std::vector<RegionFamily> families = familiesOf(run.value().data.plan);
    if (families.empty())
        return fail({ErrorCode::InvalidArgument,
                     command.run + " has no cells with compiled regions; make some with "
                                   "--set compile=regions:rope,regions:norm"});
    for (const RegionFamily& family : families) {
        say("{}, batch {}: {} of regions\n", core::precisionText(family.config),
            family.config.batch, core::counted(family.kinds.size(), "kind"));
        if (const core::Status status = search(command, limit, family); !status.ok())
            return fail(status.error());
    }
    return kExitOk;
}

}  // namespace qs::app
