#include "core/analysis/compile_cost.h"

#include "core/analysis/cell_summary.h"
#include "core/base/checks.h"

#include <algorithm>

namespace qs::core {

namespace {

double passesUntil(double extraSeconds, double seconds, double speedup)
{
    return std::max(0.0, extraSeconds / (seconds * (speedup - 1.0)));
}

// Relative L2 of the bf16 reference of a cell from its fp32 golden run.
std::optional<double> bf16FromFp32(const Analysis& analysis, const CellSummary& summary)
{
    const CellSummary* reference = analysis.find(summary.cell->referenceId);
    if (reference == nullptr || !reference->golden)
        return std::nullopt;
    const auto distance = reference->golden->figures.mean("relative_l2");
    return distance && *distance > 0.0 ? distance : std::nullopt;
}

void holdToLimit(const Analysis& analysis, CellSummary& summary)
{
    CompileCost& cost = *summary.compileCost;
    const auto distance = bf16FromFp32(analysis, summary);
    if (!distance)
        return;
    cost.limit = kMostTimesBf16 * *distance;
    cost.limitIsOfRun = true;
    const StageCompile& farthest = cost.farthest();
    if (farthest.distanceToEager > cost.limit)
        summary.doubts.push_back(
            {NoteCode::FarFromEager, {farthest.stage, farthest.distanceToEager, cost.limit}});
}

std::optional<BreakEven> against(const CellSummary& baseline, const CellSummary& summary,
                                 CompileStart start)
{
    if (!summary.speedup || summary.seconds <= 0.0)
        return std::nullopt;
    return breakEvenOf(beginSeconds(summary, start) - beginSeconds(baseline, start),
                       summary.seconds, *summary.speedup, summary.speedupInterval);
}

}  // namespace

BreakEven breakEvenOf(double extraSeconds, double seconds, double speedup,
                      const std::optional<Interval>& speedupInterval)
{
    QS_ASSERT(seconds > 0.0);
    BreakEven found;
    if (speedup > 1.0)
        found.passes = passesUntil(extraSeconds, seconds, speedup);
    if (!speedupInterval)
        return found;
    if (speedupInterval->upper <= 1.0)
        return {.result = BreakEvenResult::Never};
    if (speedupInterval->lower > 1.0) {
        found.result = BreakEvenResult::Wins;
        found.interval = {.lower = passesUntil(extraSeconds, seconds, speedupInterval->upper),
                          .upper = passesUntil(extraSeconds, seconds, speedupInterval->lower)};
    }
    return found;
}

double CompileCost::seconds(CompileStart start) const
{
    return start == CompileStart::Cold ? coldSeconds : warmSeconds;
}

const std::optional<BreakEven>& CompileCost::breakEven(CompileStart start) const
{
    return start == CompileStart::Cold ? cold : warm;
}

const StageCompile& CompileCost::farthest() const
{
    QS_ASSERT(!stages.empty());
    return *std::max_element(stages.begin(), stages.end(), [](const auto& a, const auto& b) {
        return a.distanceToEager < b.distanceToEager;
    });
}

std::optional<CompileCost> compileCostOf(const std::vector<StageCompile>& stages)
{
    if (stages.empty())
        return std::nullopt;
    CompileCost cost{.stages = stages};
    for (const StageCompile& stage : stages) {
        cost.coldSeconds += stage.coldSeconds;
        cost.warmSeconds += stage.warmSeconds;
    }
    return cost;
}

double beginSeconds(const CellSummary& summary, CompileStart start)
{
    return summary.startSeconds + (summary.compileCost ? summary.compileCost->seconds(start) : 0.0);
}

bool speaksOfCompiling(std::string_view metric)
{
    return metric == "speedup" || metric.starts_with("compile_") ||
           metric.starts_with("break_even_");
}

void fillCompileCosts(Analysis& analysis)
{
    for (CellSummary& summary : analysis.cells) {
        if (!summary.compileCost)
            continue;
        holdToLimit(analysis, summary);
        const CellSummary* baseline = analysis.find(summary.baselineId);
        if (baseline == nullptr || baseline == &summary)
            continue;
        summary.compileCost->cold = against(*baseline, summary, CompileStart::Cold);
        summary.compileCost->warm = against(*baseline, summary, CompileStart::Warm);
    }
}

}  // namespace qs::core
