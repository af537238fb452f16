// What compiling cost in the cells of a run: core/analysis/compile_cost.h has the figures of one.

#include "core/analysis/batch_family.h"
#include "core/analysis/cell_summary.h"
#include "core/analysis/compile_cost.h"
#include "core/analysis/measured_devices.h"
#include "core/device/peak_rates.h"
#include "core/measure/distance_limit.h"
#include "core/sweep/metric.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace qs::core {

namespace {

// Relative L2 of the bf16 reference of a cell from its fp32 golden run.
std::optional<double> bf16FromFp32(const Analysis& analysis, const CellSummary& summary)
{
    const CellSummary* reference = analysis.find(summary.cell->referenceId);
    if (reference == nullptr || !reference->golden)
        return std::nullopt;
    const auto distance = reference->golden->figures.mean("relative_l2");
    return distance && *distance > 0.0 ? distance : std::nullopt;
}

bool hasCodes(const CellSummary& summary, const std::string& stage)
{
    return std::any_of(summary.executed.begin(), summary.executed.end(), [&](const auto& each) {
        return each.stage == stage && !each.activationRule.empty();
    });
}

// Rows that were measured before the distance was known were held to more.
void holdToLimit(const Analysis& analysis, CellSummary& summary)
{
    CompileCost& cost = *summary.compileCost;
    const auto distance = bf16FromFp32(analysis, summary);
    for (StageCompile& stage : cost.stages) {
        if (!distance || stage.bf16FromFp32)
            continue;
        stage.bf16FromFp32 = distance;
        stage.distanceLimit = distanceLimit(hasCodes(summary, stage.stage), distance);
    }
    const StageCompile& farthest = cost.farthest();
    cost.limit = farthest.distanceLimit;
    cost.bf16FromFp32 = farthest.bf16FromFp32;
    if (cost.bf16FromFp32 && farthest.distanceToEager > *cost.limit)
        summary.doubts.push_back(
            {NoteCode::FarFromEager, {farthest.stage, farthest.distanceToEager, *cost.limit}});
}

std::optional<double> memoryRateOf(const MeasuredDevices& devices, const CellSummary& summary)
{
    const DeviceDescription* device =
        devices.device(summary.environmentId, summary.cell->config.device);
    const auto rates = device == nullptr ? std::nullopt : publishedPeakRates(*device);
    return rates ? std::optional(rates->memory) : std::nullopt;
}

std::optional<BreakEven> against(const CellSummary& baseline, const CellSummary& summary,
                                 CompileStart start)
{
    if (!summary.speedup || summary.seconds <= 0.0)
        return std::nullopt;
    BreakEven found = breakEvenOf(beginSeconds(summary, start) - beginSeconds(baseline, start),
                                  summary.seconds, *summary.speedup, summary.speedupInterval);
    found.isUpperLimit = summary.compileCost->isUpperLimit;
    if (found.result == BreakEvenResult::Wins && baseline.compileCost &&
        baseline.compileCost->isUpperLimit)
        return BreakEven{.passes = found.passes};
    return found;
}

std::string keyWithoutShape(CellConfig config)
{
    config.sizes = {};
    return batchFamilyKey(std::move(config));
}

void countCompilations(Analysis& analysis)
{
    struct Group {
        std::set<std::string> programs;
        int shapes = 0;
    };
    std::map<std::string, Group> groups;
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        Group& group = groups[keyWithoutShape(summary.cell->config)];
        ++group.shapes;
        for (const StageCompile& stage : summary.compileCost->stages)
            group.programs.insert(stage.content);
    }
    for (CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        const Group& group = groups.at(keyWithoutShape(summary.cell->config));
        summary.compileCost->compilations = {static_cast<int>(group.programs.size()), group.shapes};
    }
}

}  // namespace

double beginSeconds(const CellSummary& summary, CompileStart start)
{
    return summary.startSeconds + (summary.compileCost ? summary.compileCost->seconds(start) : 0.0);
}

const BreakEven* breakEvenOf(const Metric& metric, const CellSummary& summary)
{
    if (!metric.ofCompiler || !metric.ofBaseline || !summary.compileCost)
        return nullptr;
    const auto& found = summary.compileCost->breakEven(
        metric.name == "break_even_warm" ? CompileStart::Warm : CompileStart::Cold);
    return found ? &*found : nullptr;
}

bool isUpperLimit(const Metric& metric, const CellSummary& summary)
{
    if (!metric.ofCompiler || !summary.compileCost)
        return false;
    if (!metric.ofBaseline)
        return summary.compileCost->isUpperLimit;
    const BreakEven* found = breakEvenOf(metric, summary);
    return found != nullptr && found->isUpperLimit;
}

void fillCompileCosts(const MeasuredDevices& devices, Analysis& analysis)
{
    countCompilations(analysis);
    for (CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        summary.compileCost->memoryRate = memoryRateOf(devices, summary);
        holdToLimit(analysis, summary);
        const CellSummary* baseline = analysis.find(summary.baselineId);
        if (baseline == nullptr || baseline == &summary)
            continue;
        summary.compileCost->cold = against(*baseline, summary, CompileStart::Cold);
        summary.compileCost->warm = against(*baseline, summary, CompileStart::Warm);
    }
}

}  // namespace qs::core
