#include "core/analysis/gates.h"

#include "core/analysis/compile_cost.h"
#include "core/analysis/measured_devices.h"
#include "core/analysis/metric_values.h"
#include "core/base/text_parts.h"
#include "core/device/description.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::core {

namespace {

// Either a value, or why there is none.
struct Measured {
    std::optional<double> value;
    GateReason reason = GateReason::None;
    // Rounds differ: what counts is the interval, and without one nothing is decided.
    bool noisy = false;
    std::optional<Interval> interval = std::nullopt;
    std::string device = {};  // for NoMatch
    bool isUpperLimit = false;
};

Measured overRounds(const std::optional<double>& value, const std::optional<Interval>& interval,
                    GateReason otherwise)
{
    if (!value)
        return {{}, otherwise};
    return {.value = value,
            .reason = interval ? GateReason::None : GateReason::FewRounds,
            .noisy = true,
            .interval = interval};
}

// In passes; one without an end is longer than any limit.
Measured overPasses(const BreakEven& breakEven, const CellSummary& summary)
{
    constexpr double kNever = std::numeric_limits<double>::infinity();
    if (breakEven.result == BreakEvenResult::Never)
        return {kNever, GateReason::NeverPays};
    if (breakEven.result == BreakEvenResult::Wins)
        return {.value = breakEven.passes, .noisy = true, .interval = breakEven.interval};
    return {.value = breakEven.passes.value_or(kNever),
            .reason = summary.speedupInterval ? GateReason::PaysOrNot : GateReason::FewRounds,
            .noisy = true};
}

// Why a cell that was measured lacks the figure.
GateReason whyMissing(const Metric& metric, const CellSummary& summary)
{
    if (metric.ofBaseline && !summary.speedup)
        return GateReason::NoBaseline;
    if (metric.ofPasses)
        return GateReason::FewPasses;
    if (metric.unit == MetricUnit::Bytes)
        return GateReason::NoMemory;
    if (!metric.comparesOutputs)
        return metric.needsTraining && !metric.rare ? GateReason::InputsNotCompared
                                                    : GateReason::NotMeasured;
    if (!metric.appliesTo(summary.cell->output))
        return GateReason::OtherOutput;
    if (!summary.quality)
        return GateReason::NotCompared;
    if (metric.outputMetric.empty())
        return GateReason::FloorUnknown;
    return metric.rare ? GateReason::NotMeasured : GateReason::NoSuchFigure;
}

Measured valueFor(const Metric& metric, const CellSummary& summary)
{
    if (metric.ofBaseline && summary.baselineId == summary.cellId)
        return {{}, GateReason::IsBaseline};
    if (const BreakEven* breakEven = breakEvenOf(metric, summary))
        return overPasses(*breakEven, summary);
    const auto value = valueOf(metric, summary);
    if (metric.overRounds)
        return overRounds(value, intervalOf(metric, summary), whyMissing(metric, summary));
    const bool ofFloor = metric.comparesOutputs && metric.outputMetric.empty();
    if (value && ofFloor && !summary.identical() && summary.noiseResult == NoiseResult::Unknown)
        return {{}, GateReason::FloorIncomplete};
    if (!value)
        return {{}, whyMissing(metric, summary)};
    return {value, std::isinf(*value) ? GateReason::Identical : GateReason::None};
}

// The device that the figures come from; planned for, if there are none yet. Its id alone if no
// description is known.
DeviceDescription deviceOf(const RunData& data, const MeasuredDevices& measured,
                           const CellSummary& summary)
{
    const std::string& id = summary.cell->config.device;
    const Environment* environment = measured.environment(summary.environmentId);
    for (const auto& device : environment != nullptr ? environment->devices : data.plan.devices) {
        if (device.id == id)
            return device;
    }
    DeviceDescription unknown;
    unknown.id = id;
    unknown.name = id;
    unknown.kind = id == "cpu" ? DeviceKind::Cpu : DeviceKind::Cuda;
    return unknown;
}

// In lower case, each word between two spaces: " nvidia a100 sxm4 80gb ".
std::string spacedWords(std::string_view text)
{
    std::string words = " ";
    for (const char each : text) {
        if (each >= 'A' && each <= 'Z')
            words += static_cast<char>(each - 'A' + 'a');
        else if (std::string_view(" \t-_(),;/@").find(each) == std::string_view::npos)
            words += each;
        else if (words.back() != ' ')
            words += ' ';
    }
    return words.back() == ' ' ? words : words + ' ';
}

// Whole words: "A10" is no A100.
bool isOneDevice(std::string_view wanted, const DeviceDescription& device)
{
    const std::string words = spacedWords(wanted);
    if (words == spacedWords(device.id))
        return true;
    if (device.kind == DeviceKind::Cpu ? words == " cpu " : words == " cuda " || words == " gpu ")
        return true;
    return words != " " && spacedWords(device.name).find(words) != std::string::npos;
}

// "H100|H200": one of them.
bool isDevice(const std::string& wanted, const DeviceDescription& device)
{
    const std::vector<std::string> names = splitAt(wanted, '|');
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& each) { return isOneDevice(each, device); });
}

bool applies(const Gate& gate, const CellConfig& config)
{
    return (gate.model.empty() || gate.model == config.model) &&
           (gate.precision.empty() || gate.precision == precisionText(config)) &&
           (gate.layers.empty() || gate.layers == config.layers) &&
           (!gate.batch || *gate.batch == config.batch);
}

Measured measure(const Gate& gate, const RunData& data, const MeasuredDevices& devices,
                 const CellSummary& summary)
{
    if (!summary.cell->possible())
        return {{}, GateReason::CannotRun};
    if (!gate.device.empty()) {
        const DeviceDescription device = deviceOf(data, devices, summary);
        if (!isDevice(gate.device, device))
            return {.value = {}, .reason = GateReason::NoMatch, .device = device.name};
    }
    if (!summary.measured)
        return {{},
                summary.status == CellStatus::Skipped || summary.status == CellStatus::Ok
                    ? GateReason::NotMeasured
                    : GateReason::NotOk};
    const Metric& metric = *metricRegistry().find(gate.metric);
    if (metric.needsTraining && !summary.cell->trained)
        return {{}, GateReason::Untrained};
    if (metric.comparesOutputs && summary.cell->referenceId == summary.cellId)
        return {{}, GateReason::IsReference};
    Measured measured = valueFor(metric, summary);
    // Less time for compiling does not make one pay that saves nothing.
    measured.isUpperLimit =
        measured.value && measured.reason != GateReason::NeverPays && isUpperLimit(metric, summary);
    return measured;
}

// Gates are half lines: what holds at both ends of an interval holds between them.
GateVerdict verdictOnValue(const Gate& gate, const Measured& measured)
{
    const auto verdict = [&](double value) {
        return gate.holds(value) ? GateVerdict::Pass : GateVerdict::Fail;
    };
    if (!measured.noisy)
        return verdict(*measured.value);
    if (!measured.interval)
        return GateVerdict::Undecided;
    const GateVerdict lower = verdict(measured.interval->lower);
    return lower == verdict(measured.interval->upper) ? lower : GateVerdict::Undecided;
}

// What a value is at most is enough where less is wanted, and too little where more is.
GateVerdict verdictOn(const Gate& gate, const Measured& measured)
{
    const GateVerdict verdict = verdictOnValue(gate, measured);
    const bool lessIsWanted =
        gate.relation == GateRelation::Less || gate.relation == GateRelation::AtMost;
    const GateVerdict told = lessIsWanted ? GateVerdict::Pass : GateVerdict::Fail;
    return measured.isUpperLimit && verdict != told ? GateVerdict::Undecided : verdict;
}

GateResult judge(const Gate& gate, const RunData& data, const MeasuredDevices& devices,
                 const CellSummary& summary)
{
    const Measured measured = measure(gate, data, devices, summary);
    GateResult result;
    result.gate = gate;
    result.reason = measured.reason;
    result.status = summary.status;
    result.device = measured.device;
    if (!measured.value || std::isnan(*measured.value))
        return result;
    result.verdict = verdictOn(gate, measured);
    result.interval = measured.interval;
    result.isUpperLimit = measured.isUpperLimit;
    if (std::isfinite(*measured.value))
        result.measured = measured.value;
    if (result.verdict == GateVerdict::Pass && !summary.doubts.empty()) {
        result.verdict = GateVerdict::Fail;
        result.doubted = true;
    }
    return result;
}

}  // namespace

std::vector<CellGates> evaluateGates(const RunData& data, const Analysis& analysis,
                                     const std::vector<Gate>& gates)
{
    std::vector<CellGates> all(analysis.cells.size());
    if (gates.empty())
        return all;
    const MeasuredDevices devices(data);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const CellSummary& summary = analysis.cells[i];
        if (summary.cell == nullptr || summary.cell->role != CellRole::Swept)
            continue;
        for (const Gate& gate : gates) {
            if (applies(gate, summary.cell->config))
                all[i].push_back(judge(gate, data, devices, summary));
        }
    }
    return all;
}

std::vector<CellGates> evaluateGates(const RunData& data, const Analysis& analysis)
{
    return evaluateGates(data, analysis, data.plan.preset.gates);
}

GateCounts countGates(const CellGates& gates)
{
    GateCounts counts;
    for (const GateResult& result : gates) {
        counts.passed += result.verdict == GateVerdict::Pass ? 1 : 0;
        counts.failed += result.verdict == GateVerdict::Fail ? 1 : 0;
        counts.undecided += result.verdict == GateVerdict::Undecided ? 1 : 0;
        counts.notTestable += result.verdict == GateVerdict::NotTestable ? 1 : 0;
    }
    return counts;
}

std::string_view name(GateVerdict verdict)
{
    switch (verdict) {
    case GateVerdict::Pass:
        return "pass";
    case GateVerdict::Fail:
        return "fail";
    case GateVerdict::Undecided:
        return "undecided";
    case GateVerdict::NotTestable:
        return "not testable";
    }
    QS_ASSERT(false);
    return {};
}

}  // namespace qs::core
