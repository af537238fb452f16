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
constexpr int kAcrossDigits = 3;

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
            table.lines.push_back(
                {crossover.family, std::to_string(batch.batch),
                 formatSeconds(analysis.find(batch.cpuId)->seconds),
                 formatSeconds(analysis.find(batch.gpuId)->seconds),
                 batch.ratio.interval
                     ? withInterval(batch.ratio.value, batch.ratio.interval)
                     : formatSignificant(batch.ratio.value, kAcrossDigits) + " (no interval)",
                 fasterText(batch), crossoverText(crossover)});
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

}  // namespace qs::core
