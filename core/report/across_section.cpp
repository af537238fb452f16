#include "core/report/across_section.h"

#include "core/base/format.h"
#include "core/report/json_values.h"
#include "core/report/markdown_text.h"

namespace qs::core {

namespace {

constexpr const char* kAcrossMeaning =
    "Time of the processor of the same computer over that of the GPU at the same batch and "
    "precision, round by round; the processor in its fastest compile mode. This compares devices: "
    "it is no speed-up of a precision or a compile mode.";
constexpr const char* kSettingsMeaning =
    "Cells that differ in where their inputs wait or in the variables of their workers, and in "
    "nothing else: time of the first over that of the cell, round by round. It is no speed-up of a "
    "precision or a compile mode, and none of these is the speed baseline of another. The time of "
    "a "
    "pass leaves the copy of its inputs out; end to end has it.";
constexpr int kAcrossDigits = 3;

std::string estimateText(const Estimate& ratio)
{
    return ratio.interval ? withInterval(ratio.value, ratio.interval)
                          : formatSignificant(ratio.value, kAcrossDigits) + " (no interval)";
}

const char* fasterText(const DeviceCrossover::Batch& batch)
{
    if (batch.gpuFaster())
        return "GPU";
    return batch.cpuFaster() ? "CPU" : "undecided";
}

}  // namespace

std::string crossoverText(const DeviceCrossover& crossover)
{
    const std::string unsure = crossover.decided ? "" : ", as far as decided";
    if (!crossover.from)
        return "at no measured batch" + unsure;
    if (*crossover.from == crossover.batches.front().batch)
        return "at every measured batch" + unsure;
    return "from batch " + std::to_string(*crossover.from) + " on" + unsure;
}

TableSection acrossSection(const Analysis& analysis)
{
    PlainTable table{{"GPU cell", "Batch", "CPU time", "GPU time", "CPU time / GPU time", "Faster",
                      "GPU is faster"},
                     {}};
    for (const DeviceCrossover& crossover : deviceCrossovers(analysis)) {
        for (const DeviceCrossover::Batch& batch : crossover.batches)
            table.lines.push_back({crossover.family, std::to_string(batch.batch),
                                   formatSeconds(analysis.find(batch.cpuId)->seconds),
                                   formatSeconds(analysis.find(batch.gpuId)->seconds),
                                   estimateText(batch.ratio), fasterText(batch),
                                   crossoverText(crossover)});
    }
    return {"across", "GPU against CPU", kAcrossMeaning, std::move(table)};
}

Json acrossJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const DeviceCrossover& crossover : deviceCrossovers(analysis)) {
        Json batches = Json::array();
        for (const DeviceCrossover::Batch& batch : crossover.batches)
            batches.push_back(
                {{"batch", batch.batch},
                 {"cpu_cell", batch.cpuId},
                 {"gpu_cell", batch.gpuId},
                 {"cpu_over_gpu_time_ratio", batch.ratio.value},
                 {"cpu_over_gpu_time_interval_95", intervalJson(batch.ratio.interval)}});
        list.push_back({{"gpu_family", crossover.family},
                        {"gpu_faster_from_batch", crossover.from ? Json(*crossover.from) : Json()},
                        {"decided_at_every_batch", crossover.decided},
                        {"batches", std::move(batches)}});
    }
    return list;
}

TableSection settingsSection(const Analysis& analysis)
{
    PlainTable table{{"Cell", "Batch", "Setting", "Against", "Pass there", "Pass", "Input copy",
                      "End to end", "Pass there / pass"},
                     {}};
    for (const SettingRatio& each : settingRatios(analysis)) {
        const CellSummary& summary = *analysis.find(each.cellId);
        const auto orNone = [](const std::optional<double>& seconds) {
            return seconds ? formatSeconds(*seconds) : std::string("–");
        };
        table.lines.push_back({analysis.labels.of(*summary.cell),
                               std::to_string(summary.cell->config.batch),
                               each.axis + " " + each.value, each.usual,
                               formatSeconds(analysis.find(each.usualId)->seconds),
                               formatSeconds(summary.seconds), orNone(summary.device.copySeconds),
                               orNone(summary.device.endToEndSeconds), estimateText(each.ratio)});
    }
    return {"settings", "Residency and environment", kSettingsMeaning, std::move(table)};
}

Json settingsJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const SettingRatio& each : settingRatios(analysis)) {
        const DeviceFigures& device = analysis.find(each.cellId)->device;
        list.push_back({{"setting", each.axis},
                        {"value", each.value},
                        {"against", each.usual},
                        {"cell", each.cellId},
                        {"against_cell", each.usualId},
                        {"pass_time_ratio", each.ratio.value},
                        {"pass_time_ratio_interval_95", intervalJson(each.ratio.interval)},
                        {"copy_seconds", orNull(device.copySeconds)},
                        {"end_to_end_seconds", orNull(device.endToEndSeconds)}});
    }
    return list;
}

}  // namespace qs::core
