#include "core/report/words/compile_text.h"

#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/words/gate_text.h"
#include "core/stats/summary.h"
#include "core/sweep/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace qs::core {

namespace {

constexpr int kDigitsOfCosts = 3;
constexpr int kFew = 2;
constexpr double kGroupedFrom = 100.0;

std::string countText(double count, int digits)
{
    if (count < kGroupedFrom)
        return formatSignificant(count, digits);
    const double step = std::pow(10.0, std::floor(std::log10(count)) + 1.0 - digits);
    return formatGrouped(std::llround(step > 1.0 ? std::round(count / step) * step : count));
}

std::string distanceOf(double distance, const std::optional<double>& limit)
{
    const std::string text = formatSignificant(distance, kFew);
    return limit ? text + " of " + formatSignificant(*limit, kFew) : text;
}

// One entry for each name, longest first.
std::vector<CompilePart> partsOf(const CompileCost& cost)
{
    std::vector<CompilePart> parts;
    for (const StageCompile& stage : cost.stages) {
        for (const CompilePart& part : stage.coldParts) {
            const auto known = std::find_if(parts.begin(), parts.end(), [&](const auto& each) {
                return each.name == part.name;
            });
            if (known == parts.end())
                parts.push_back(part);
            else
                known->seconds += part.seconds;
        }
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return parts;
}

}  // namespace

std::string breakEvenText(const BreakEven& breakEven, double unitsPerPass, const std::string& units)
{
    const std::string of = units.empty() ? std::string() : " " + units;
    const auto asMeasured = [&](int digits) {
        return (breakEven.isUpperLimit ? "≤ " : "") +
               countText(*breakEven.passes * unitsPerPass, digits);
    };
    switch (breakEven.result) {
    case BreakEvenResult::Never:
        return "never";
    case BreakEvenResult::Undecided:
        return breakEven.passes ? "undecided, " + asMeasured(kDigitsOfCosts) + of + " as measured"
                                : "undecided";
    case BreakEvenResult::Wins:
        break;
    }
    const Interval& interval = *breakEven.interval;
    return asMeasured(kDigitsOfCosts) + " [" +
           countText(interval.lower * unitsPerPass, kDigitsOfCosts) + ", " +
           countText(interval.upper * unitsPerPass, kDigitsOfCosts) + "]" + of;
}

std::string compileSecondsText(const CompileCost& cost, CompileStart start)
{
    return (cost.isUpperLimit ? "≤ " : "") + formatSeconds(cost.seconds(start));
}

std::string compilePartsText(const CompileCost& cost)
{
    std::string text;
    for (const CompilePart& part : partsOf(cost))
        text += (text.empty() ? "" : ", ") + part.name + " " + formatSeconds(part.seconds);
    return text;
}

std::string compilationsText(const Compilations& compilations)
{
    return counted(static_cast<std::uint64_t>(compilations.programs), "program") + " for " +
           counted(static_cast<std::uint64_t>(compilations.shapes), "shape");
}

std::string packageName(const StageCompile& package)
{
    return package.part.empty() ? package.stage : package.stage + " " + package.part;
}

std::string regionSpeedText(const RegionSpeed& speed)
{
    constexpr double kGiga = 1e9;
    const std::string launch =
        speed.time.launchSeconds
            ? fmt::format(", launched in {}", formatSeconds(*speed.time.launchSeconds))
            : std::string();
    return fmt::format("{} {}, one of {} alone: {} eager, {} compiled, {}×, {} GB/s{}", speed.stage,
                       speed.kind, counted(static_cast<std::size_t>(speed.calls), "call"),
                       formatSeconds(speed.time.eagerSeconds),
                       formatSeconds(speed.time.compiledSeconds),
                       formatSignificant(speed.speedup, kDigitsOfCosts),
                       countText(speed.bytesPerSecond / kGiga, kDigitsOfCosts), launch);
}

std::string packageDistanceText(const CompileCost& cost)
{
    return distanceOf(cost.farthest().distanceToEager, cost.limit) +
           (cost.bf16FromFp32
                ? " (bf16 from fp32: " + formatSignificant(*cost.bf16FromFp32, kFew) + ")"
                : "");
}

std::string packageDistanceText(const std::vector<StageCompile>& packages)
{
    std::string text;
    std::set<std::string> stages;  // all packages of a stage have its distance
    for (const StageCompile& each : packages) {
        // What only a solver calls is not compared.
        if ((each.distanceLimit || each.distanceToEager > 0.0) && stages.insert(each.stage).second)
            text += (text.empty() ? "" : ", ") + each.stage + " " +
                    distanceOf(each.distanceToEager, each.distanceLimit);
    }
    return text;
}

std::string unfusedText(Unfused why)
{
    switch (why) {
    case Unfused::No:
        return "PyTorch";
    case Unfused::Library:
        return "PyTorch: as fast";
    case Unfused::Units:
        return "PyTorch: this GPU has no units for it";
    case Unfused::Shape:
        return "PyTorch: rows or columns in no whole pieces";
    case Unfused::Layout:
        return "PyTorch: operands lie otherwise";
    case Unfused::Attention:
        return "PyTorch: its attention";
    case Unfused::Rows:
        return "PyTorch: too many rows, or too short or long ones";
    case Unfused::Operation:
        return "PyTorch: no kernel computes it";
    case Unfused::Alone:
        return "PyTorch: stands alone";
    case Unfused::Group:
        return "PyTorch: no kernel takes it with what is beside it";
    case Unfused::FellBack:
        break;
    }
    return "PyTorch: its kernel could not be built or launched";
}

std::string fusedProductText(const FusedProduct& product)
{
    if (product.operations.empty())
        return "operation by operation";
    return product.kernel.empty() ? unfusedText(product.why) : product.kernel;
}

std::string operationsText(const std::vector<std::string>& operations)
{
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, operations.size()); ++i)
        text += (i == 0 ? "" : ", ") + operations[i];
    return operations.size() <= kMost
               ? text
               : text + " and " + std::to_string(operations.size() - kMost) + " more";
}

std::string fusedText(const std::vector<StageCompile>& stages)
{
    std::string text;
    for (const StageCompile& stage : stages) {
        if (stage.kernels.empty())
            continue;
        int kernels = 0;
        std::string beside;
        for (const KernelChoice& each : stage.kernels) {
            if (each.kernel.empty())
                beside += (beside.empty() ? "" : ", ") + std::to_string(each.calls) + " × " +
                          operationsText(each.operations);
            else
                kernels += each.calls;
        }
        text += (text.empty() ? "" : "; ") + stage.stage + " " + std::to_string(kernels) +
                (beside.empty() ? "" : ", beside them " + beside);
    }
    return text;
}

std::string compileGatesText(const CellGates& gates)
{
    std::string text;
    for (const GateResult& result : gates) {
        if (metricRegistry().find(result.gate.metric)->besideCompiling)
            text += (text.empty() ? "" : "; ") + std::string(name(result.verdict)) + ": " +
                    gateResultText(result);
    }
    return text;
}

}  // namespace qs::core
