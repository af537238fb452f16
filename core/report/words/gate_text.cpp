#include "core/report/words/gate_text.h"

#include "core/analysis/speed_baseline.h"
#include "core/base/format.h"
#include "core/stats/summary.h"

namespace qs::core {

std::string gateReasonText(const GateResult& result)
{
    switch (result.reason) {
    case GateReason::None:
        return {};
    case GateReason::Identical:
        return "identical";
    case GateReason::NoMatch:
        return "for " + result.gate.device + ", not for " + result.device;
    case GateReason::CannotRun:
        return "the cell cannot run here";
    case GateReason::NotMeasured:
        return "not measured yet";
    case GateReason::NotOk:
        return "the cell is " + std::string(name(result.status));
    case GateReason::FewRounds:
        return "an interval needs " + std::to_string(kRoundsForInterval) + " repeats";
    case GateReason::FewPasses:
        return "too few passes";
    case GateReason::IsBaseline:
        return "the cell is the speed baseline";
    case GateReason::NoBaseline:
        return "the speed baseline is not measured";
    case GateReason::NoMemory:
        return "this memory figure is not available on the device";
    case GateReason::Untrained:
        return "no quality with random weights or inputs";
    case GateReason::IsReference:
        return "the cell is the quality reference";
    case GateReason::OtherOutput:
        return "the model has no such output";
    case GateReason::NotCompared:
        return "not compared with the quality reference yet";
    case GateReason::NoSuchFigure:
        return "not every output has this metric";
    case GateReason::InputsNotCompared:
        return "not compared with the inputs yet";
    case GateReason::FloorIncomplete:
        return "noise-floor runs are not finished";
    case GateReason::FloorUnknown:
        return "the noise floor is zero or not known yet";
    case GateReason::NeverPays:
        return "never";
    case GateReason::PaysOrNot:
        return "it is not decided whether compiling pays off";
    }
    return {};
}

namespace {

// As few digits as tell the value from the limit; with an interval those that it supports.
std::string measuredNumberText(const GateResult& result)
{
    if (result.interval && result.interval->lower < result.interval->upper) {
        const int supported = supportedDigits(*result.measured, *result.interval);
        const auto text = [&](double value) {
            return gateValueText(result.gate, value, supported);
        };
        return text(*result.measured) + " [" + text(result.interval->lower) + ", " +
               text(result.interval->upper) + "]";
    }
    constexpr int kMostDigits = 17;
    for (int digits = 4; digits <= kMostDigits; digits += 2) {
        std::string text = gateValueText(result.gate, *result.measured, digits);
        if (*result.measured == result.gate.value ||
            text != gateValueText(result.gate, result.gate.value, digits))
            return text;
    }
    return formatExact(*result.measured);
}

}  // namespace

std::string gateMeasuredText(const GateResult& result)
{
    if (!result.measured)
        return gateReasonText(result);
    return (result.isUpperLimit ? "≤ " : "") + measuredNumberText(result);
}

std::string gateResultText(const GateResult& result)
{
    const std::string expectation = expectationText(result.gate);
    const bool undecided = result.verdict == GateVerdict::Undecided;
    const bool limited = undecided && result.isUpperLimit && result.reason == GateReason::None;
    const bool unknown = undecided && !result.interval;
    if (result.doubted)
        return expectation + ": result has a warning";
    if (limited)
        return expectation + ": known to be " + gateMeasuredText(result);
    if (result.verdict == GateVerdict::NotTestable || unknown)
        return expectation + ": " + gateReasonText(result);
    const std::string& metric = result.gate.metric;
    const std::string rest = expectation.substr(metric.size() + 1);  // ">= 0.99"
    if (result.verdict == GateVerdict::Pass)
        return metric + " " + gateMeasuredText(result) + " (" + rest + ")";
    if (result.verdict == GateVerdict::Undecided)
        return metric + " " + gateMeasuredText(result) + " around " + rest;
    return metric + " " + gateMeasuredText(result) + " " +
           std::string(failedRelation(result.gate.relation)) + rest.substr(rest.find(' '));
}

std::string gatesText(const CellGates& gates)
{
    if (gates.empty())
        return {};
    const GateCounts counts = countGates(gates);
    std::string text;
    for (const GateResult& result : gates) {
        if (result.verdict == GateVerdict::Fail)
            text += (text.empty() ? "fails " : ", ") + gateResultText(result);
    }
    if (!text.empty())
        return text;
    if (counts.passed == 0 && counts.undecided == 0)
        return "not testable here";
    text = std::to_string(counts.passed) + " of " + std::to_string(gates.size()) + " pass";
    if (counts.undecided > 0)
        text += ", " + std::to_string(counts.undecided) + " undecided";
    if (counts.notTestable > 0)
        text += ", " + std::to_string(counts.notTestable) + " not testable here";
    return text;
}

}  // namespace qs::core
