// How long the picture metrics take on a 4K picture, with their maps where they have one.

#include "core/image/flip.h"
#include "core/image/ms_ssim.h"
#include "core/image/ssim.h"

#include <benchmark/benchmark.h>

namespace {

using namespace qs::core;

constexpr int kWidth = 3840;
constexpr int kHeight = 2160;

// Values that no metric can take a short cut on; the second picture is a little off.
Picture pattern(float offset)
{
    Picture picture{kWidth, kHeight, 3, std::vector<float>(std::size_t{kWidth} * kHeight * 3)};
    std::uint32_t state = 1;
    for (float& value : picture.values) {
        state = state * 1664525U + 1013904223U;
        value = 0.9F * static_cast<float>(state >> 8U) / 16777216.0F + offset;
    }
    return picture;
}

void ssimWithMap(benchmark::State& state)
{
    const Picture reference = pattern(0.0F);
    const Picture picture = pattern(0.01F);
    const auto variant = static_cast<SsimVariant>(state.range(0));
    state.SetLabel(name(variant));
    for (auto _ : state)
        benchmark::DoNotOptimize(ssim(picture, reference, variant, 1.0).value().mean);
}

void multiScale(benchmark::State& state)
{
    const Picture reference = pattern(0.0F);
    const Picture picture = pattern(0.01F);
    for (auto _ : state)
        benchmark::DoNotOptimize(msSsim(picture, reference, 1.0).value());
}

void flipWithMap(benchmark::State& state)
{
    const Picture reference = pattern(0.0F);
    const Picture picture = pattern(0.01F);
    for (auto _ : state)
        benchmark::DoNotOptimize(flip(picture, reference).value().mean);
}

BENCHMARK(ssimWithMap)->DenseRange(0, 3)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(multiScale)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(flipWithMap)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
