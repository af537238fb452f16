#include "core/analysis/compile_cost.h"

#include "core/base/checks.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

namespace qs::core {

namespace {

double passesUntil(double extraSeconds, double seconds, double speedup)
{
    return std::max(0.0, extraSeconds / (seconds * (speedup - 1.0)));
}

// What the cell has of one call of the compiler.
struct UsedCall {
    CompiledTogether call;
    int programs = 0;
    double coldSeconds = 0.0;  // of its programs, one after the other
    double warmSeconds = 0.0;

    // All of the call is the cell's, so that its time is, or one program, which has its own. A
    // cell with some of its programs would not have waited longer than for all of them.
    [[nodiscard]] bool isExact() const { return programs == call.programs || programs == 1; }
    [[nodiscard]] double seconds(CompileStart start) const
    {
        const bool cold = start == CompileStart::Cold;
        const double ofAll = cold ? call.coldSeconds : call.warmSeconds;
        return programs == call.programs ? ofAll
                                         : std::min(cold ? coldSeconds : warmSeconds, ofAll);
    }
};

// Each program once. One that does not know its call is a call by itself.
std::vector<UsedCall> usedCalls(const std::vector<StageCompile>& stages)
{
    std::vector<UsedCall> calls;
    std::set<std::string> contents;
    for (const StageCompile& stage : stages) {
        if (!stage.kernels.empty() || !contents.insert(stage.content).second)
            continue;
        const CompiledTogether call = stage.together.value_or(
            CompiledTogether{stage.content, 1, stage.coldSeconds, stage.warmSeconds});
        auto used = std::find_if(calls.begin(), calls.end(),
                                 [&](const UsedCall& each) { return each.call.id == call.id; });
        if (used == calls.end())
            used = calls.insert(used, UsedCall{.call = call});
        ++used->programs;
        used->coldSeconds += stage.coldSeconds;
        used->warmSeconds += stage.warmSeconds;
    }
    return calls;
}

// Of kernels of ours. One that several stages have was made once: what is kept has the seconds of
// then.
double secondsOfKernels(const std::vector<StageCompile>& stages)
{
    std::set<std::tuple<std::string, std::string, double>> made;
    for (const StageCompile& stage : stages) {
        for (const KernelChoice& each : stage.kernels)
            made.emplace(each.kernel, each.shape, each.seconds);
    }
    return std::accumulate(made.begin(), made.end(), 0.0, [](double sum, const auto& each) {
        return sum + std::get<double>(each);
    });
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
        return a.distanceToEager / a.distanceLimit.value_or(1.0) <
               b.distanceToEager / b.distanceLimit.value_or(1.0);
    });
}

std::optional<CompileCost> compileCostOf(const std::vector<StageCompile>& stages)
{
    if (stages.empty())
        return std::nullopt;
    CompileCost cost{.stages = stages};
    cost.coldSeconds = secondsOfKernels(stages);
    const std::vector<UsedCall> calls = usedCalls(stages);
    for (const UsedCall& call : calls) {
        cost.coldSeconds += call.seconds(CompileStart::Cold);
        cost.warmSeconds += call.seconds(CompileStart::Warm);
    }
    cost.limit = cost.farthest().distanceLimit;
    // In one call, all of it might have taken less time.
    cost.isUpperLimit = calls.size() > 1 || (!calls.empty() && !calls.front().isExact());
    return cost;
}

}  // namespace qs::core
