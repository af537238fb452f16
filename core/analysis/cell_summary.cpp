#include "core/analysis/cell_summary.h"

#include <algorithm>
#include <map>

namespace qs::core {

const CellSummary* Analysis::find(const std::string& cellId) const
{
    const auto found = places.find(cellId);
    return found == places.end() ? nullptr : &cells[found->second];
}

const NoiseFloor* Analysis::floorOf(const CellSummary& summary) const
{
    if (summary.cell == nullptr)
        return nullptr;
    // A cell without rows is of no environment yet: the first is that of the run.
    const auto found = std::find_if(floors.begin(), floors.end(), [&](const NoiseFloor& floor) {
        return floor.referenceId == summary.cell->referenceId &&
               (summary.environmentId.empty() || floor.environmentId == summary.environmentId);
    });
    return found == floors.end() ? nullptr : &*found;
}

std::optional<Interval> CellSummary::throughputInterval() const
{
    if (cell == nullptr || !secondsInterval || !(secondsInterval->lower > 0.0))
        return std::nullopt;
    return inverted(*secondsInterval, static_cast<double>(cell->unitsPerPass));
}

std::optional<double> CellSummary::endToEndThroughput() const
{
    if (cell == nullptr || !device.endToEndSeconds || *device.endToEndSeconds <= 0.0)
        return std::nullopt;
    return static_cast<double>(cell->unitsPerPass) / *device.endToEndSeconds;
}

std::optional<double> CellSummary::joulesPerUnit() const
{
    if (cell == nullptr || !device.joulesPerPass)
        return std::nullopt;
    return *device.joulesPerPass / static_cast<double>(cell->unitsPerPass);
}

std::optional<std::int64_t> workspaceBytes(const MemoryFigures& memory)
{
    if (!memory.allocatedPeak || memory.weightsResident <= 0 ||
        *memory.allocatedPeak < memory.weightsResident)
        return std::nullopt;
    return *memory.allocatedPeak - memory.weightsResident;
}

std::string Analysis::mainEnvironment() const
{
    std::map<std::string, int> counts;
    for (const CellSummary& summary : cells) {
        if (summary.measured)
            ++counts[summary.environmentId];
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? std::string() : most->first;
}

}  // namespace qs::core
