#include "core/analysis/doubts.h"

#include "core/base/format.h"
#include "core/quant/scheme.h"

#include <algorithm>
#include <optional>

namespace qs::core {

namespace {

// What the maker publishes is for the boost clock; nothing can be faster.
void doubtRoofs(const CellSummary& summary, const PeakRates& rates,
                std::vector<std::string>& doubts)
{
    const PlannedCell& cell = *summary.cell;
    const auto rate = fastestRate(rates, cell.config.precision);
    if (rate && cell.flops / summary.seconds > *rate)
        doubts.push_back("the time would mean " +
                         formatSignificant(cell.flops / summary.seconds / 1e12, 4) +
                         " TFLOP/s, and the published peak of the device is " +
                         formatSignificant(*rate / 1e12, 4));
    // The families have no table of which a pass would read a few rows only.
    const auto weights = static_cast<double>(cell.weightBytes);
    if (summary.seconds < shortestReading(rates, weights))
        doubts.push_back("the weights alone, " + formatBytes(weights) +
                         ", cannot be read in this time: the published rate of the memory is " +
                         formatSignificant(rates.memory / 1e12, 4) + " TB/s");
}

// A GPU rounds the operands of products to ten bits of mantissa for tf32; a CPU has no such mode.
bool asksForTf32OnGpu(const CellConfig& config)
{
    const auto& stages = config.precision;
    return config.device != "cpu" &&
           std::find(stages.begin(), stages.end(), "tf32") != stages.end() &&
           std::all_of(stages.begin(), stages.end(),
                       [](const std::string& stage) { return stage == "tf32" || stage == "fp32"; });
}

}  // namespace

std::vector<std::string> doubtsAbout(const CellSummary& summary, const MeasuredDevices& devices)
{
    std::vector<std::string> doubts;
    if (summary.cell == nullptr || !summary.measured)
        return doubts;
    const PlannedCell& cell = *summary.cell;
    if (summary.executed.find("MISMATCH") != std::string::npos)
        doubts.push_back("something else ran than was asked for: " + summary.executed);
    if (summary.identical && !allStagesAre(cell.config, "bf16"))
        doubts.push_back("every output equals that of bf16 bit by bit, so " +
                         precisionText(cell.config) + " cannot have had an effect");
    if (summary.golden && summary.golden->identical && asksForTf32OnGpu(cell.config))
        doubts.push_back("every output equals that of fp32 bit by bit, so " +
                         precisionText(cell.config) + " cannot have run");
    if (summary.modelChanged)
        doubts.emplace_back("the weights of the model were not the same in all rounds");
    if (!summary.storageObjection.empty())
        doubts.push_back(summary.storageObjection);
    const DeviceDescription* device = devices.device(summary.environmentId, cell.config.device);
    const auto rates = device == nullptr ? std::nullopt : publishedPeakRates(*device);
    if (rates && summary.seconds > 0.0)
        doubtRoofs(summary, *rates, doubts);
    return doubts;
}

}  // namespace qs::core
