// How the analysis of a run grows with its rows: the time per row should stay the same.

#include "core/analysis/analysis.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {

using namespace qs::core;

// Cells in ten rounds of `samples` samples each.
RunData runOf(int cells, int samples)
{
    RunData data;
    data.plan.preset.rounds = 10;
    for (int i = 0; i < cells; ++i) {
        PlannedCell cell;
        cell.id = "c" + std::to_string(i);
        cell.config.model = "demo";
        cell.config.precision = {i % 2 == 0 ? "bf16" : "int8dq"};
        cell.config.batch = 1 + i / 2;
        cell.referenceId = "c" + std::to_string(i - i % 2);
        for (int round = 0; round < data.plan.preset.rounds; ++round) {
            Measurement row;
            row.cellId = cell.id;
            row.environmentId = "e";
            row.round = round;
            row.config = cell.config;
            for (int sample = 0; sample < samples; ++sample)
                row.result.hostSeconds.push_back(0.01 + 1e-5 * ((7 * sample + round) % 11));
            data.measurements.push_back(std::move(row));
        }
        data.plan.cells.push_back(std::move(cell));
    }
    return data;
}

void analysis(benchmark::State& state)
{
    const RunData data = runOf(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    for (auto _ : state)
        benchmark::DoNotOptimize(analyse(data, "best-bf16"));
    state.counters["per_row"] = benchmark::Counter(static_cast<double>(data.measurements.size()),
                                                   benchmark::Counter::kIsIterationInvariantRate |
                                                       benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK(analysis)
    ->ArgNames({"cells", "samples"})
    ->Args({100, 5})
    ->Args({1000, 5})
    ->Args({10000, 5})
    ->Args({100, 500})
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
