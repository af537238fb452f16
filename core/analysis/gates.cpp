#include "core/analysis/gates.h"

#include "core/analysis/measured_devices.h"
#include "core/analysis/speed_baseline.h"
#include "core/base/format.h"
#include "core/device/description.h"
#include "core/stats/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace qs::core {

namespace {

// Either a value, or why there is none.
struct Measured {
    std::optional<double> value;
    std::string reason;
    // Rounds differ: what counts is the interval, and without one nothing is decided.
    bool noisy = false;
    std::optional<Interval> interval = std::nullopt;
};

Measured overRounds(const std::optional<double>& value, const std::optional<Interval>& interval,
                    const char* otherwise)
{
    if (!value)
        return {{}, otherwise};
    return {.value = value,
            .reason = interval
                          ? std::string()
                          : "an interval needs " + std::to_string(kRoundsForInterval) + " repeats",
            .noisy = true,
            .interval = interval};
}

Measured known(const std::optional<double>& value, const char* otherwise)
{
    return value ? Measured{value, {}} : Measured{{}, otherwise};
}

Measured bytes(const std::optional<std::int64_t>& value)
{
    return value ? Measured{static_cast<double>(*value), {}}
                 : Measured{{}, "this memory figure is not known on the device"};
}

constexpr const char* kNotMeasured = "not measured yet";
constexpr const char* kNotCompared = "not compared with the quality reference yet";
constexpr const char* kNotKnown =
    "compared before there was this figure, or the pictures are too small";

// What no summary holds: of one cell against its reference.
struct Extremes {
    std::optional<double> psnr;  // the lowest; empty while all pictures are identical
    double difference = 0.0;
};

using ExtremesByCell = std::unordered_map<std::string, Extremes>;

ExtremesByCell extremesOf(const RunData& data, const Analysis& analysis)
{
    std::unordered_map<std::string, const CellSummary*> summaries;
    for (const CellSummary& summary : analysis.cells)
        summaries.emplace(summary.cellId, &summary);
    ExtremesByCell all;
    for (const PictureQuality& quality : data.qualities) {
        const auto found = summaries.find(quality.cellId);
        if (found == summaries.end() || found->second->cell == nullptr ||
            found->second->cell->referenceId != quality.referenceId ||
            quality.environmentId != found->second->environmentId)
            continue;
        Extremes& extremes = all[quality.cellId];
        extremes.difference = std::max(extremes.difference, quality.maximumDifference);
        if (quality.psnr)
            extremes.psnr = std::min(extremes.psnr.value_or(*quality.psnr), *quality.psnr);
    }
    return all;
}

Measured speedup(const CellSummary& summary)
{
    if (summary.baselineId == summary.cellId)
        return {{}, "it is the speed baseline itself"};
    // Interval and ratio come from the same paired rounds.
    return overRounds(summary.speedup, summary.speedupInterval, "the speed baseline has no time");
}

// Identical pictures have no finite PSNR, and are as good as can be.
Measured psnr(const CellSummary& summary, const std::optional<double>& value)
{
    if (!value && summary.ssimMean && summary.identical)
        return {std::numeric_limits<double>::infinity(), "identical"};
    return known(value, kNotCompared);
}

Measured noise(const CellSummary& summary, const std::optional<double>& value)
{
    if (!value && summary.ssimMean && summary.identical)
        return {0.0, "identical"};
    if (value && summary.noiseResult == NoiseResult::Unknown)
        return {{}, "runs of the noise floor are still to come"};
    return known(value,
                 summary.ssimMean ? "the noise floor is zero or not known yet" : kNotCompared);
}

Measured valueOf(GateMetric metric, const CellSummary& summary, const Extremes* extremes)
{
    switch (metric) {
    case GateMetric::Throughput:
        return overRounds(summary.throughput, summary.throughputInterval(), kNotMeasured);
    case GateMetric::Latency:
        return overRounds(summary.seconds, summary.secondsInterval, kNotMeasured);
    case GateMetric::Variation:
        return overRounds(summary.withinRoundVariation, summary.variationInterval,
                          "too few passes");
    case GateMetric::Speedup:
        return speedup(summary);
    case GateMetric::AllocatedPeak:
        return bytes(summary.memory.allocatedPeak);
    case GateMetric::ReservedPeak:
        return bytes(summary.memory.reservedPeak);
    case GateMetric::ProcessPeak:
        return bytes(summary.memory.processPeak);
    case GateMetric::SsimMean:
        return known(summary.ssimMean, kNotCompared);
    case GateMetric::SsimWorst:
        return known(summary.ssimWorst, kNotCompared);
    case GateMetric::PsnrMean:
        return psnr(summary, summary.psnrMean);
    case GateMetric::PsnrWorst:
        return psnr(summary, extremes == nullptr ? std::nullopt : extremes->psnr);
    case GateMetric::MsSsimMean:
        return known(summary.msSsimMean, summary.ssimMean ? kNotKnown : kNotCompared);
    case GateMetric::FlipMean:
        return known(summary.flipMean, summary.ssimMean ? kNotKnown : kNotCompared);
    case GateMetric::FlipWorst:
        return known(summary.flipWorst, summary.ssimMean ? kNotKnown : kNotCompared);
    case GateMetric::NoiseMultiple:
        return noise(summary, summary.noiseMultiple);
    case GateMetric::WorstNoiseMultiple:
        return noise(summary, summary.worstNoiseMultiple);
    case GateMetric::MaximumDifference:
        return extremes == nullptr ? Measured{{}, kNotCompared}
                                   : Measured{extremes->difference, {}};
    case GateMetric::ReconstructionSsim:
        return known(summary.reconstructionSsim, "not compared with the inputs yet");
    case GateMetric::ReconstructionPsnr:
        return known(summary.reconstructionPsnr, "not compared with the inputs yet");
    }
    QS_ASSERT(false);
    return {};
}

bool comparesWithReference(GateMetric metric)
{
    return metric == GateMetric::MaximumDifference ||
           (gateMetricInfo(metric).quality && metric != GateMetric::ReconstructionSsim &&
            metric != GateMetric::ReconstructionPsnr);
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
bool isDevice(const std::string& wanted, const DeviceDescription& device)
{
    const std::string words = spacedWords(wanted);
    if (words == spacedWords(device.id))
        return true;
    if (device.kind == DeviceKind::Cpu ? words == " cpu " : words == " cuda " || words == " gpu ")
        return true;
    return words != " " && spacedWords(device.name).find(words) != std::string::npos;
}

bool applies(const Gate& gate, const CellConfig& config)
{
    return (gate.model.empty() || gate.model == config.model) &&
           (gate.precision.empty() || gate.precision == precisionText(config)) &&
           (!gate.batch || *gate.batch == config.batch);
}

Measured measure(const Gate& gate, const RunData& data, const MeasuredDevices& devices,
                 const CellSummary& summary, const ExtremesByCell& extremes)
{
    if (!summary.cell->possible())
        return {{}, "the cell cannot run here"};
    if (!gate.device.empty()) {
        const DeviceDescription device = deviceOf(data, devices, summary);
        if (!isDevice(gate.device, device))
            return {{}, "it is for " + gate.device + ", this is " + device.name};
    }
    if (!summary.measured)
        return {{},
                summary.status == CellStatus::Skipped || summary.status == CellStatus::Ok
                    ? kNotMeasured
                    : "the cell is " + std::string(name(summary.status))};
    if (gateMetricInfo(gate.metric).quality && !summary.cell->trained)
        return {{}, "without trained weights there is no picture quality"};
    if (comparesWithReference(gate.metric) && summary.cell->referenceId == summary.cellId)
        return {{}, "it is the quality reference itself"};
    const auto found = extremes.find(summary.cellId);
    return valueOf(gate.metric, summary, found == extremes.end() ? nullptr : &found->second);
}

// Gates are half lines: what holds at both ends of an interval holds between them.
GateVerdict verdictOn(const Gate& gate, const Measured& measured)
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

GateResult judge(const Gate& gate, const RunData& data, const MeasuredDevices& devices,
                 const CellSummary& summary, const ExtremesByCell& extremes)
{
    const Measured measured = measure(gate, data, devices, summary, extremes);
    GateResult result;
    result.gate = gate;
    result.reason = measured.reason;
    if (!measured.value || std::isnan(*measured.value))
        return result;
    result.verdict = verdictOn(gate, measured);
    result.interval = measured.interval;
    if (std::isfinite(*measured.value))
        result.measured = measured.value;
    if (result.verdict == GateVerdict::Pass && !summary.doubts.empty()) {
        result.verdict = GateVerdict::Fail;
        result.doubted = true;
    }
    return result;
}

// As few digits as tell the value from the limit; with an interval those that it supports.
std::string measuredText(const GateResult& result)
{
    if (!result.measured)
        return result.reason;
    if (result.interval && result.interval->lower < result.interval->upper) {
        const int supported = supportedDigits(*result.measured, *result.interval);
        const auto text = [&](double value) {
            return gateValueText(result.gate.metric, value, supported);
        };
        return text(*result.measured) + " [" + text(result.interval->lower) + ", " +
               text(result.interval->upper) + "]";
    }
    constexpr int kMostDigits = 17;
    for (int digits = 4; digits <= kMostDigits; digits += 2) {
        std::string text = gateValueText(result.gate.metric, *result.measured, digits);
        if (*result.measured == result.gate.value ||
            text != gateValueText(result.gate.metric, result.gate.value, digits))
            return text;
    }
    return formatExact(*result.measured);
}

}  // namespace

std::vector<CellGates> evaluateGates(const RunData& data, const Analysis& analysis,
                                     const std::vector<Gate>& gates)
{
    std::vector<CellGates> all(analysis.cells.size());
    if (gates.empty())
        return all;
    const ExtremesByCell extremes = extremesOf(data, analysis);
    const MeasuredDevices devices(data);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const CellSummary& summary = analysis.cells[i];
        if (summary.cell == nullptr || summary.cell->role != CellRole::Swept)
            continue;
        for (const Gate& gate : gates) {
            if (applies(gate, summary.cell->config))
                all[i].push_back(judge(gate, data, devices, summary, extremes));
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

std::string gateResultText(const GateResult& result)
{
    const std::string expectation = expectationText(result.gate);
    const bool unknown = result.verdict == GateVerdict::Undecided && !result.interval;
    if (result.doubted)
        return expectation + ": in doubt";
    if (result.verdict == GateVerdict::NotTestable || unknown)
        return expectation + ": " + result.reason;
    const std::string metric(gateMetricInfo(result.gate.metric).name);
    const std::string rest = expectation.substr(metric.size() + 1);  // ">= 0.99"
    if (result.verdict == GateVerdict::Pass)
        return metric + " " + measuredText(result) + " (" + rest + ")";
    if (result.verdict == GateVerdict::Undecided)
        return metric + " " + measuredText(result) + " around " + rest;
    return metric + " " + measuredText(result) + " " +
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
