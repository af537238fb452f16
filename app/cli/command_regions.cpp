#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/measured_cell.h"
#include "app/cli/terminal_text.h"
#include "core/analysis/subset_search.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/lower/compile_mode.h"
#include "core/sweep/cell_member.h"

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

core::Status search(const RegionsCommand& command, const std::optional<core::Gate>& limit,
                    const RegionFamily& family)
{
    core::SubsetSearch subsets(family.kinds.size(), static_cast<std::size_t>(command.budget));
    double eager = 0.0;
    while (const auto subset = subsets.next()) {
        CellConfig config = family.config;
        config.compile = compileText(family, *subset);
        QS_TRY(const MeasuredCell summary,
               measuredCell(command.run, config, *subset == 0 ? std::nullopt : limit));
        const bool meets = summary.meetsLimit;
        eager = *subset == 0 ? summary.seconds : eager;
        say("  {:<48} {:>10}  {}x{}\n", config.compile, core::formatSeconds(summary.seconds),
            core::formatSignificant(eager / summary.seconds, 4), meets ? "" : "  misses the limit");
        subsets.told(*subset, summary.seconds, meets);
    }
    const auto best = subsets.best();
    if (!best)
        return Error{ErrorCode::Unsupported, "no choice meets the limit"};
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
