#include "core/sweep/olmoearth/swept_cells.h"

#include "core/base/checks.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <map>
#include <set>

namespace qs::core {

namespace {

using Values = std::vector<std::string>;  // one for each member of a respect

// What varies together.
struct Respect {
    std::vector<std::string> members;
    std::vector<Values> values;  // each once, in order of the cells

    [[nodiscard]] bool varies() const { return values.size() > 1; }
    [[nodiscard]] Values of(const CellConfig& cell) const
    {
        Values found;
        for (const std::string& member : members)
            found.push_back(memberText(cell, member));
        return found;
    }
};

std::vector<Respect> respectsOf(const std::vector<CellConfig>& cells)
{
    const std::set<std::string> runsAs{"precision", "layers", "compile", "attention"};
    std::vector<Respect> respects{{{runsAs.begin(), runsAs.end()}, {}}};
    for (const std::string& name : axisNames()) {
        if (!runsAs.contains(name))
            respects.push_back({{name}, {}});
    }
    for (Respect& respect : respects) {
        for (const CellConfig& cell : cells) {
            Values values = respect.of(cell);
            if (std::find(respect.values.begin(), respect.values.end(), values) ==
                respect.values.end())
                respect.values.push_back(std::move(values));
        }
    }
    std::erase_if(respects, [](const Respect& respect) { return !respect.varies(); });
    return respects;
}

std::vector<CellConfig> eachOnce(const std::vector<CellConfig>& cells)
{
    std::vector<CellConfig> once;
    for (const CellConfig& cell : cells) {
        if (std::find(once.begin(), once.end(), cell) == once.end())
            once.push_back(cell);
    }
    return once;
}

bool differsInOne(const CellConfig& cell, const CellConfig& usual,
                  const std::vector<Respect>& respects)
{
    return std::count_if(respects.begin(), respects.end(), [&](const Respect& respect) {
               return respect.of(cell) != respect.of(usual);
           }) <= 1;
}

// The members of a respect that vary, as axes that advance together.
void addAxes(const std::vector<std::string>& members, const std::vector<Values>& values,
             Preset& preset)
{
    LinkedAxes linked;
    for (std::size_t i = 0; i < members.size(); ++i) {
        Axis axis{members[i], {}};
        for (const Values& each : values)
            axis.values.push_back(each[i]);
        const bool varies = std::any_of(axis.values.begin(), axis.values.end(),
                                        [&](const auto& each) { return each != axis.values[0]; });
        if (!varies)
            continue;
        linked.push_back(axis.name);
        preset.axes.push_back(std::move(axis));
    }
    if (linked.size() > 1)
        preset.linked.push_back(std::move(linked));
}

}  // namespace

Preset presetOfCells(const std::vector<CellConfig>& all)
{
    QS_ASSERT(!all.empty());
    const std::vector<CellConfig> cells = eachOnce(all);
    const std::vector<Respect> respects = respectsOf(cells);
    Preset preset;
    preset.defaults = all.back();
    std::size_t combinations = 1;
    for (const Respect& respect : respects)
        combinations *= std::min<std::size_t>(respect.values.size(), 1'000'000);
    const bool crosses = combinations == cells.size();
    const bool oneEach = std::all_of(cells.begin(), cells.end(), [&](const CellConfig& cell) {
        return differsInOne(cell, preset.defaults, respects);
    });
    if (crosses || oneEach) {
        preset.mode = crosses ? SweepMode::Cross : SweepMode::OneAtATime;
        for (const Respect& respect : respects)
            addAxes(respect.members, respect.values, preset);
        return preset;
    }
    std::vector<std::string> members;
    for (const Respect& respect : respects)
        members.insert(members.end(), respect.members.begin(), respect.members.end());
    std::vector<Values> values;
    for (const CellConfig& cell : cells) {
        Values each;
        for (const std::string& member : members)
            each.push_back(memberText(cell, member));
        values.push_back(std::move(each));
    }
    addAxes(members, values, preset);
    return preset;
}

}  // namespace qs::core
