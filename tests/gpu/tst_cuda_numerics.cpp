// What must be equal, and how equal, between the CPU and a GPU.

#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/engine/probe/describe.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/graph/builder.h"
#include "core/lower/reference.h"
#include "core/model/generated_weights.h"
#include "tests/engine/cpu_device.h"
#include "tests/support/scheme_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::DType;
using core::namedScheme;
using core::Scheme;

const c10::Device kCuda(c10::kCUDA, 0);

class CudaNumerics : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
        m_backend = makeBackend("cuda:0").value();
    }

    // Values of the generator with an outlier, the same on both devices.
    static at::Tensor values(const std::string& name, std::vector<std::int64_t> shape, double scale)
    {
        at::Tensor tensor = at::empty(shape, at::kFloat);
        core::generate(core::generatorKey(5, name), core::generatorFactor(scale), 0,
                       {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())});
        tensor.data_ptr<float>()[7] = static_cast<float>(9.0 * scale);
        return tensor.to(at::kBFloat16);
    }

    static double relativeError(const at::Tensor& a, const at::Tensor& b)
    {
        const at::Tensor reference = b.to(kCpu).to(at::kDouble);
        return ((a.to(kCpu).to(at::kDouble) - reference).norm() / reference.norm()).item<double>();
    }

    const c10::InferenceMode m_guard;
    std::unique_ptr<Backend> m_backend;
};

TEST_F(CudaNumerics, GeneratedWeightsAreBitIdenticalOnBothDevices)
{
    const std::uint64_t key = core::generatorKey(42, "encoder/patch_embed.weight");
    const float factor = core::generatorFactor(0.036);
    constexpr std::int64_t kFirst = (std::int64_t{1} << 32U) - 3;
    constexpr std::size_t kCount = 1'000'003;
    std::vector<float> expected(kCount);
    core::generate(key, factor, kFirst, expected);
    const at::Tensor made =
        generateOnDevice(key, factor, kFirst, static_cast<std::int64_t>(kCount), kCuda).cpu();
    const at::Tensor reference =
        at::from_blob(expected.data(), {static_cast<std::int64_t>(kCount)});
    EXPECT_TRUE(made.equal(reference));
}

// One layer of a scheme on a device: quantizes the weight there and runs it.
struct LayerOnDevice {
    at::Tensor codes;
    at::Tensor output;
};

LayerOnDevice runLayer(const Scheme& scheme, const at::Tensor& x, const at::Tensor& weight,
                       const at::Tensor& bias, c10::Device device)
{
    const core::DeviceDescription description = describeDevice(device.str()).value();
    const core::StageProgram stage =
        tests::layerStage(scheme, x.sizes().vec(), weight.size(0), true);
    StageWeights weights{
        NamedTensors{{"fc.weight", weight.to(device)}, {"fc.bias", bias.to(device)}}};
    const core::Status quantized =
        quantizeWeights(weights, stage, device, [](double) { return true; });
    EXPECT_TRUE(quantized.ok());
    const core::Graph layer = core::referenceStage(stage, description).value().graph;
    const Executor execute = Executor::create(layer, weights.tensors, device).value();
    return {weights.tensors.at("fc.weight:codes").cpu(), execute.run({x.to(device)})[0].cpu()};
}

TEST_F(CudaNumerics, SchemesGiveTheSameCodesAndNearlyTheSameOutputs)
{
    const at::Tensor x = values("x", {2, 24, 128}, 1.0);
    const at::Tensor weight = values("w", {96, 128}, 0.09);
    const at::Tensor bias = values("b", {96}, 0.5);
    for (const Scheme& scheme :
         {namedScheme("int8dq"), namedScheme("int8wo"), namedScheme("float8dq-tensor"),
          namedScheme("float8dq-row"), namedScheme("float8wo"), namedScheme("int4wo-32"),
          namedScheme("int4wo-128")}) {
        const LayerOnDevice cpu = runLayer(scheme, x, weight, bias, kCpu);
        const LayerOnDevice cuda = runLayer(scheme, x, weight, bias, kCuda);
        EXPECT_TRUE(cuda.codes.to(at::kFloat).equal(cpu.codes.to(at::kFloat)))
            << scheme.text() << ": codes differ";
        // Float8 products accumulate with fewer bits on the tensor cores.
        const bool fast =
            scheme == namedScheme("float8dq-tensor") || scheme == namedScheme("float8dq-row");
        EXPECT_LT(relativeError(cuda.output, cpu.output), fast ? 4e-3 : 2.5e-3) << scheme.text();
    }
}

TEST_F(CudaNumerics, FewRowsArePaddedForIntegerProducts)
{
    const at::Tensor x = values("x", {1, 5, 128}, 1.0);
    const at::Tensor weight = values("w", {96, 128}, 0.09);
    const at::Tensor bias = values("b", {96}, 0.5);
    const LayerOnDevice cpu = runLayer(namedScheme("int8dq"), x, weight, bias, kCpu);
    const LayerOnDevice cuda = runLayer(namedScheme("int8dq"), x, weight, bias, kCuda);
    EXPECT_EQ(cuda.output.sizes(), cpu.output.sizes());
    EXPECT_TRUE(cuda.output.equal(cpu.output));
}

TEST_F(CudaNumerics, ZeroRowsDoNotBecomeNaN)
{
    at::Tensor x = values("x", {1, 32, 128}, 1.0);
    x.select(1, 3).zero_();
    const at::Tensor weight = values("w", {96, 128}, 0.09);
    const at::Tensor bias = values("b", {96}, 0.5);
    for (const Scheme& scheme :
         {namedScheme("int8dq"), namedScheme("float8dq-tensor"), namedScheme("float8dq-row")}) {
        const LayerOnDevice cuda = runLayer(scheme, x, weight, bias, kCuda);
        EXPECT_TRUE(cuda.output.select(1, 3).equal(bias.unsqueeze(0))) << scheme.text();
    }
}

TEST_F(CudaNumerics, TheTf32FlagActsOnTheGraphThatCarriesIt)
{
    core::GraphBuilder builder;
    const core::TensorType matrix{DType::Float32, {512, 512}};
    const auto x = builder.input("x", matrix);
    const auto y = builder.linear(x, builder.weight("w", matrix));
    builder.output(y, "y");
    core::Graph graph = builder.finish().value();
    const at::Tensor weight = values("w", {512, 512}, 1.0).to(at::kFloat) * 1.0009765625;
    const at::Tensor input = values("x", {512, 512}, 1.0).to(at::kFloat) * 1.0009765625;
    const at::Tensor exact = input.to(at::kDouble).matmul(weight.to(at::kDouble).t());
    const auto run = [&](bool allowed) {
        graph.allowTf32 = allowed;
        return Executor::create(graph, {{"w", weight.to(kCuda)}}, kCuda)
            .value()
            .run({input.to(kCuda)})[0]
            .cpu();
    };
    const double full = relativeError(run(false), exact);
    const double reduced = relativeError(run(true), exact);
    EXPECT_LT(full, 2e-6);
    EXPECT_GT(reduced, 5e-5);
    EXPECT_LT(reduced, 2e-3);
    EXPECT_LT(relativeError(run(false), exact), 2e-6) << "the flag must not stick";
}

}  // namespace
}  // namespace qs::engine
