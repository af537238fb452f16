#include "core/analysis/compile_cost.h"

#include "core/base/checks.h"

#include <algorithm>

namespace qs::core {

namespace {

double passesUntil(double extraSeconds, double seconds, double speedup)
{
    return std::max(0.0, extraSeconds / (seconds * (speedup - 1.0)));
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

bool speaksOfCompiling(std::string_view metric)
{
    return metric == "speedup" || metric.starts_with("compile_") ||
           metric.starts_with("break_even_");
}

}  // namespace qs::core
