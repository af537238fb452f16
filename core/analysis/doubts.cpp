#include "core/analysis/doubts.h"

#include "core/quant/scheme.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace qs::core {

namespace {

// What the maker publishes is for the boost clock; nothing can be faster.
void doubtPeaks(const CellSummary& summary, const PeakRates& rates, std::vector<Note>& doubts)
{
    const PlannedCell& cell = *summary.cell;
    const double rate = cell.flops / summary.seconds;
    const auto fastest = fastestRate(rates, cell.config.precision);
    if (fastest && rate > *fastest)
        doubts.push_back({NoteCode::BeyondPeak, {rate, *fastest}});
    const auto weights = static_cast<double>(cell.weightBytesRead.value_or(0));
    if (summary.seconds < shortestReading(rates, weights))
        doubts.push_back({NoteCode::BeyondMemory, {weights, rates.memory}});
}

std::string shapeOf(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t extent : shape)
        text += (text.empty() ? "" : "×") + std::to_string(extent);
    return text;
}

// The first ones: all of them are on the row.
void doubtLayers(const ExecutedStage& stage, std::vector<Note>& doubts)
{
    constexpr std::size_t kNamed = 4;
    for (std::size_t i = 0; i < std::min(kNamed, stage.strays.size()); ++i) {
        const StrayLayers& each = stage.strays[i];
        const bool isKnown = !each.operation.empty();
        if (each.module.empty())
            doubts.push_back({NoteCode::StrayLayers,
                              {stage.stage, double(each.calls), shapeOf(each.weightShape)}});
        else
            doubts.push_back({NoteCode::StrayLayer,
                              {stage.stage, each.module, each.operation,
                               isKnown ? std::string(name(each.type)) : std::string()}});
    }
}

void doubtExecution(const std::vector<ExecutedStage>& stages, std::vector<Note>& doubts)
{
    for (const ExecutedStage& stage : stages) {
        for (const ExecutedProduct& each : stage.products) {
            if (each.mismatch())
                doubts.push_back({NoteCode::Mismatch,
                                  {stage.stage, each.operation, std::string(name(each.type)),
                                   double(*each.expected), double(each.ran)}});
        }
        doubtLayers(stage, doubts);
    }
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

std::vector<Note> doubtsAbout(const CellSummary& summary, const MeasuredDevices& devices)
{
    std::vector<Note> doubts;
    if (summary.cell == nullptr || !summary.measured)
        return doubts;
    const PlannedCell& cell = *summary.cell;
    doubtExecution(summary.executed, doubts);
    if (summary.identical() && !allStagesAre(cell.config, "bf16"))
        doubts.push_back({NoteCode::EqualsBf16, {precisionText(cell.config)}});
    if (summary.golden && summary.golden->figures.identical && asksForTf32OnGpu(cell.config))
        doubts.push_back({NoteCode::EqualsFp32, {precisionText(cell.config)}});
    if (summary.modelChanged)
        doubts.push_back({NoteCode::WeightsChanged});
    if (const StorageReport& storage = summary.storage; storage.offenderCount > 0)
        doubts.push_back({NoteCode::WrongStorage,
                          {double(storage.offenderCount), double(storage.storageBytes),
                           double(storage.logicalBytes), storage.offenders.front().weight}});
    const DeviceDescription* device = devices.device(summary.environmentId, cell.config.device);
    const auto rates = device == nullptr ? std::nullopt : publishedPeakRates(*device);
    if (rates && summary.seconds > 0.0)
        doubtPeaks(summary, *rates, doubts);
    return doubts;
}

}  // namespace qs::core
