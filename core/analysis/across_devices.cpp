#include "core/analysis/across_devices.h"

#include "core/analysis/batch_family.h"
#include "core/analysis/cell_summary.h"
#include "core/analysis/speed_ratio.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace qs::core {

namespace {

constexpr std::string_view kCpu = "cpu";

// All that two devices have in common.
std::string deviceFrameOf(CellConfig config)
{
    const CellConfig usual;
    config.device = kCpu;
    config.compile = usual.compile;
    config.attention = usual.attention;
    config.inputs = usual.inputs;
    return cellKey(config);
}

bool isTimed(const CellSummary& summary)
{
    return summary.measured && summary.doubts.empty() && summary.seconds > 0.0 &&
           summary.cell->rerun == 0;
}

bool gpuIsFaster(const DeviceCrossover::Batch& batch)
{
    return batch.gpuFaster();
}

void conclude(DeviceCrossover& crossover)
{
    auto& batches = crossover.batches;
    std::sort(batches.begin(), batches.end(),
              [](const auto& a, const auto& b) { return a.batch < b.batch; });
    crossover.decided = std::all_of(batches.begin(), batches.end(), [](const auto& each) {
        return each.gpuFaster() || each.cpuFaster();
    });
    const auto last = std::find_if_not(batches.rbegin(), batches.rend(), gpuIsFaster);
    if (last != batches.rbegin())
        crossover.from = last.base()->batch;
}

}  // namespace

void compareWithCpu(std::vector<CellSummary>& cells)
{
    std::unordered_map<std::string, const CellSummary*> fastest;
    for (const CellSummary& summary : cells) {
        if (summary.cell->config.device != kCpu || !isTimed(summary))
            continue;
        const auto [place, isNew] =
            fastest.try_emplace(deviceFrameOf(summary.cell->config), &summary);
        if (!isNew && summary.seconds < place->second->seconds)
            place->second = &summary;
    }
    if (fastest.empty())
        return;
    for (CellSummary& summary : cells) {
        if (summary.cell->config.device == kCpu || !isTimed(summary))
            continue;
        const auto found = fastest.find(deviceFrameOf(summary.cell->config));
        if (found == fastest.end() || found->second->environmentId != summary.environmentId)
            continue;
        const Estimate ratio = speedRatio(*found->second, summary);
        if (ratio.count > 0)
            summary.againstCpu = CpuRatio{.cpuId = found->second->cellId, .ratio = ratio};
    }
}

bool DeviceCrossover::Batch::gpuFaster() const
{
    return ratio.interval && ratio.interval->lower > 1.0;
}

bool DeviceCrossover::Batch::cpuFaster() const
{
    return ratio.interval && ratio.interval->upper < 1.0;
}

std::vector<DeviceCrossover> deviceCrossovers(const Analysis& analysis)
{
    std::vector<DeviceCrossover> crossovers;
    std::map<std::string, std::size_t> places;
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.againstCpu)
            continue;
        const auto [place, isNew] =
            places.try_emplace(batchFamilyKey(summary.cell->config), crossovers.size());
        if (isNew)
            crossovers.push_back({analysis.labels.of(*summary.cell), {}, {}, false});
        crossovers[place->second].batches.push_back({.batch = summary.cell->config.batch,
                                                     .cpuId = summary.againstCpu->cpuId,
                                                     .gpuId = summary.cellId,
                                                     .ratio = summary.againstCpu->ratio});
    }
    for (DeviceCrossover& crossover : crossovers)
        conclude(crossover);
    return crossovers;
}

}  // namespace qs::core
