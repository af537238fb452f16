#include "core/report/profiles/resnet_run.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace qs::core {

namespace {

constexpr int kTensorCoresSince = 7;  // major compute capability, as the script asks

bool isInductor(const CellConfig& config)
{
    return config.compile.find("inductor") != std::string::npos;
}

std::optional<double> meanTime(const HostTimes& times, const CellSummary* cell)
{
    const auto found = cell == nullptr ? times.end() : times.find(cell->cellId);
    return found == times.end() ? std::nullopt : std::optional(found->second.mean());
}

void placeCell(const CellSummary& summary, bool hasGpu, ResnetModes& modes)
{
    const CellConfig& config = summary.cell->config;
    const std::string precision = precisionText(config);
    const bool cpu = config.device == "cpu";
    const bool eager = config.compile == "none";
    // The first of each in the plan's order.
    const auto take = [&](bool fits, const CellSummary*& slot) {
        if (fits && slot == nullptr)
            slot = &summary;
    };
    take(precision == "fp32" && eager && cpu != hasGpu, modes.original);
    take(precision.starts_with("int8dq") && eager && cpu, modes.quantized);
    take(precision == "fp16" && eager && !cpu, modes.half);
    take(precision == "fp32" && isInductor(config) && !cpu, modes.compiled);
    take(precision == "fp16" && isInductor(config) && !cpu, modes.halfCompiled);
}

std::size_t firstClass(const std::vector<float>& scores)
{
    return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                    scores.begin());
}

// What the run found when it compared its outputs with those of its fp32 run. `reason`: why they
// cannot be compared anew.
OutputDifference recordedDifference(const CellSummary& cell, const CellSummary& reference,
                                    std::string reason)
{
    OutputDifference found{.mean = {}, .agreement = {}, .reason = std::move(reason)};
    if (!cell.golden || cell.golden->cellId != reference.cellId)
        return found;
    const QualityFigures& figures = cell.golden->figures;
    found.outputs = static_cast<int>(figures.samples.size());
    found.mean = figures.mean("mean_difference");
    found.agreement = figures.mean("top1_agreement");
    return found;
}

}  // namespace

std::optional<double> weightMebibytes(const CellSummary* cell)
{
    if (cell == nullptr || !cell->measured)
        return std::nullopt;
    return static_cast<double>(cell->memory.weightsResident) / kMebibyte;
}

std::optional<double> ResnetRun::seconds(const CellSummary* cell) const
{
    return meanTime(passes, cell);
}

std::optional<double> ResnetRun::firstSeconds(const CellSummary* cell) const
{
    return meanTime(firstPasses, cell);
}

std::optional<double> ResnetRun::conversionSeconds(const CellSummary* cell) const
{
    const auto load = meanTime(loads, cell);
    return load ? std::optional(*load + meanTime(quantize, cell).value_or(0.0)) : std::nullopt;
}

std::optional<double> ResnetRun::ratio(const CellSummary* slow, const CellSummary* fast) const
{
    const auto ofSlow = seconds(slow);
    const auto ofFast = seconds(fast);
    if (!ofSlow || !ofFast || slow->environmentId != fast->environmentId)
        return std::nullopt;
    return *ofSlow / *ofFast;
}

OutputDifference ResnetRun::difference(const CellSummary* cell, const CellSummary* reference) const
{
    OutputDifference found;
    if (cell == nullptr || reference == nullptr) {
        found.reason = "the run lacks one of the two cells";
        return found;
    }
    const int outputs =
        std::min(storedOutputs(analysis, *cell), storedOutputs(analysis, *reference));
    double sum = 0.0;
    std::size_t values = 0;
    int agree = 0;
    for (int i = 0; i < outputs; ++i) {
        const auto own = storedOutput(data, analysis, *cell, i);
        const auto other = storedOutput(data, analysis, *reference, i);
        if (!own.ok() || !other.ok())
            return recordedDifference(*cell, *reference, (own.ok() ? other : own).error().message);
        if (own.value().values.empty() ||
            own.value().values.size() != other.value().values.size()) {
            found.reason = "the stored outputs have different shapes";
            return found;
        }
        for (std::size_t j = 0; j < own.value().values.size(); ++j)
            sum += std::abs(own.value().values[j] - other.value().values[j]);
        values += own.value().values.size();
        agree += firstClass(own.value().values) == firstClass(other.value().values) ? 1 : 0;
    }
    found.outputs = outputs;
    if (outputs == 0) {
        found.reason = "no outputs were stored";
        return found;
    }
    found.mean = sum / static_cast<double>(values);
    found.agreement = static_cast<double>(agree) / outputs;
    return found;
}

std::optional<bool> ResnetRun::tensorCores(const CellSummary* cell) const
{
    const DeviceDescription* device = cell == nullptr ? nullptr : measuredDevice(data, *cell);
    if (device == nullptr || device->kind != DeviceKind::Cuda)
        return std::nullopt;
    return device->computeMajor >= kTensorCoresSince;
}

Result<ResnetRun> resnetRun(const RunData& data, const Analysis& analysis)
{
    QS_TRY(HostTimes passes, hostTimes(data, analysis));
    QS_TRY(HostTimes first, phaseTimes(data, analysis, Phase::FirstPass));
    QS_TRY(HostTimes loads, phaseTimes(data, analysis, Phase::Load));
    QS_TRY(HostTimes quantize, phaseTimes(data, analysis, Phase::Quantize));
    ResnetRun run{.data = data,
                  .analysis = analysis,
                  .passes = std::move(passes),
                  .firstPasses = std::move(first),
                  .loads = std::move(loads),
                  .quantize = std::move(quantize),
                  .batches = {}};
    // fp32 is a noise-floor run where the sweep does not ask for it.
    std::vector<const CellSummary*> cells;
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell->rerun == 0)
            cells.push_back(&summary);
    }
    run.hasGpu = std::any_of(cells.begin(), cells.end(), [](const CellSummary* each) {
        return each->cell->config.device != "cpu";
    });
    std::map<std::int64_t, ResnetModes> batches;
    for (const CellSummary* each : cells) {
        ResnetModes& modes = batches[each->cell->config.batch];
        modes.batch = each->cell->config.batch;
        placeCell(*each, run.hasGpu, modes);
    }
    for (const auto& [batch, modes] : batches)
        run.batches.push_back(modes);
    return run;
}

}  // namespace qs::core
