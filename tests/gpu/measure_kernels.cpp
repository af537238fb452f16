// Times single kernels with the very parts that time cells: backend, blocks, held stream, cold or
// warm cache, warm-up and stopping. One JSON line per kernel and way, for agreement.py, which times
// the same kernels with the timers of others.
//
//     measure_kernels [NAME …]

#include "core/engine/internal/backend.h"
#include "core/measure/sampler.h"
#include "core/stats/quantiles.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace qs;

struct Kernel {
    std::string name;
    std::function<void()> work;
};

at::Tensor normal(std::vector<std::int64_t> shape, at::ScalarType type)
{
    return at::randn(shape, at::TensorOptions().device(at::kCUDA).dtype(at::kFloat)).to(type);
}

// The same shapes and types as in agreement.py.
std::vector<Kernel> allKernels()
{
    std::vector<Kernel> kernels;
    const auto product = [&](const char* name, std::int64_t m, std::int64_t n, std::int64_t k,
                             at::ScalarType type) {
        const at::Tensor a = normal({m, k}, type);
        const at::Tensor b = normal({k, n}, type);
        at::Tensor out = at::empty({m, n}, a.options());
        kernels.push_back({name, [=]() mutable { at::mm_out(out, a, b); }});
    };
    product("gemm_bf16_4096", 4096, 4096, 4096, at::kBFloat16);
    product("gemm_fp16_8192", 8192, 8192, 8192, at::kHalf);
    product("gemm_fp32_4096", 4096, 4096, 4096, at::kFloat);
    {
        const at::Tensor source = normal({1 << 27}, at::kFloat);
        const at::Tensor target = at::empty_like(source);
        kernels.push_back({"copy_512MiB", [=]() mutable { target.copy_(source); }});
        at::Tensor sum = at::empty({}, source.options());
        kernels.push_back({"sum_512MiB", [=]() mutable { at::sum_out(sum, source, {0}); }});
    }
    {
        const at::Tensor rows = normal({16384, 8192}, at::kBFloat16);
        at::Tensor out = at::empty_like(rows);
        kernels.push_back(
            {"softmax_16384x8192", [=]() mutable { at::_softmax_out(out, rows, 1, false); }});
        kernels.push_back({"gelu_16384x8192", [=]() mutable { at::gelu_out(out, rows, "none"); }});
        const at::Tensor others = normal({16384, 8192}, at::kBFloat16);
        kernels.push_back({"add_16384x8192", [=]() mutable { at::add_out(out, rows, others); }});
        const at::Tensor weight = at::ones({8192}, rows.options());
        const at::Tensor bias = at::zeros({8192}, rows.options());
        kernels.push_back({"layer_norm_16384x8192",
                           [=] { static_cast<void>(at::layer_norm(rows, {8192}, weight, bias)); }});
    }
    {
        const at::Tensor heads = normal({16, 16, 2048, 64}, at::kBFloat16);
        kernels.push_back(
            {"attention_16x16x2048x64",
             [=] { static_cast<void>(at::scaled_dot_product_attention(heads, heads, heads)); }});
    }
    return kernels;
}

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Warm-up and samples as for a cell; the median in seconds.
nlohmann::json timed(engine::Backend& backend, const std::function<void()>& step, bool cold,
                     bool held)
{
    engine::SamplePlan plan;
    plan.steps = {step};
    plan.coldCache = cold;
    plan.held = held && backend.holdsStreams();
    double shortest = backend.timeSample(plan).seconds();
    for (int i = 0; i < 4; ++i)
        shortest = std::min(shortest, backend.timeSample(plan).seconds());
    plan.passes = core::passesPerBlock(shortest);
    core::SamplingHooks hooks;
    hooks.passesPerSample = plan.passes;
    hooks.runPass = [&]() -> core::Result<core::PassSample> { return backend.timeSample(plan); };
    hooks.now = now;
    hooks.progress = [](core::Phase, double) { return true; };
    core::MeasurementSettings settings;
    settings.minimumWarmupSeconds = 0.3;
    settings.maximumWarmupSeconds = 3.0;
    settings.minimumSampleSeconds = 0.2;
    settings.maximumSampleSeconds = 2.0;
    const core::SamplingOutcome outcome = core::samplePasses(settings, hooks).value();
    std::vector<double> device;
    std::vector<double> host;
    for (const core::PassSample& sample : outcome.samples) {
        device.push_back(sample.deviceSeconds);
        host.push_back(sample.hostSeconds);
    }
    return {{"device_s", core::median(device)},
            {"host_s", core::median(host)},
            {"samples", device.size()},
            {"passes_per_sample", plan.passes},
            {"warmup_end", core::kWarmupEnds.of(outcome.warmupEnd)},
            {"stop_reason", core::kStopReasons.of(outcome.stopReason)}};
}

void print(const Kernel& kernel, const char* way, nlohmann::json row)
{
    row["kernel"] = kernel.name;
    row["way"] = way;
    std::puts(row.dump().c_str());
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    auto made = engine::makeCudaBackend(0);
    if (!made.ok()) {
        std::fputs(made.error().message.c_str(), stderr);
        return 3;
    }
    engine::Backend& backend = *made.value();
    const c10::InferenceMode guard;
    at::globalContext().setAllowTF32CuBLAS(false);
    at::manual_seed(1);
    for (const Kernel& kernel : allKernels()) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), kernel.name) == wanted.end())
            continue;
        const auto recorded = backend.record(kernel.work).value();
        const auto launch = [&] { recorded->launch(); };
        print(kernel, "eager_warm", timed(backend, kernel.work, false, false));
        print(kernel, "graph_warm", timed(backend, launch, false, true));
        print(kernel, "graph_cold", timed(backend, launch, true, true));
    }
    return 0;
}
