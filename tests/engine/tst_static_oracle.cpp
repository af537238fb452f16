// int8-static and int8sq, executed with given statistics, against numpy and torchao
// (tests/golden/calibration/generate.py).

#include "core/engine/execute/executor.h"
#include "core/engine/probe/exact_int8.h"
#include "core/engine/quantize/observers.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/engine/weights/weight_layouts.h"
#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/eager_stage.h"
#include "core/lower/single_layer.h"
#include "core/lower/weight_preparation.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/golden_tensors.h"
#include "tests/support/scheme_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::namedScheme;
using core::ValueRef;

// Operations and weights of a stage, quantized.
struct Quantized {
    core::StageProgram stage;
    StageWeights weights;

    [[nodiscard]] at::Tensor run(const at::Tensor& x, bool asOnCuda = false) const
    {
        core::DeviceDescription device = processor(multipliesInt8Exactly());
        if (asOnCuda)
            device.kind = core::DeviceKind::Cuda;
        return run(x, device);
    }
    // As where products of 8 bits saturate.
    [[nodiscard]] at::Tensor runInFloat64(const at::Tensor& x) const
    {
        return run(x, processor(false));
    }
    static core::DeviceDescription processor(bool exactProducts)
    {
        core::DeviceDescription device = core::describeCpu();
        device.exactInt8Products = exactProducts;
        return device;
    }
    [[nodiscard]] at::Tensor run(const at::Tensor& x, const core::DeviceDescription& device) const
    {
        const core::Graph graph = core::referenceStage(stage, device).value().graph;
        return Executor::create(graph, weights.tensors, kCpu).value().run({x})[0];
    }
    // By the kernel of this processor, if the stage convolves.
    [[nodiscard]] at::Tensor runByKernel(const at::Tensor& x) const
    {
        core::DeviceDescription device = processor(multipliesInt8Exactly());
        device.exactInt8Convolutions = true;
        const core::EagerStage eager = core::eagerStage(stage, device).value();
        NamedTensors tensors = makeLayouts(eager.layouts, weights.tensors, kCpu).value();
        EXPECT_EQ(tensors.size(), isLinear() ? 0U : 1U);
        EXPECT_GE(layoutBytesOf(tensors), tensors.empty() ? 0 : part("codes").numel());
        tensors.insert(weights.tensors.begin(), weights.tensors.end());
        return Executor::create(eager.stage.graph, tensors, kCpu).value().run({x})[0];
    }
    [[nodiscard]] bool isLinear() const
    {
        return stage.graph.nodes.front().operation->name == core::kQsLinear;
    }
    [[nodiscard]] const at::Tensor& part(const char* name) const
    {
        return weights.tensors.at(std::string("fc.weight:") + name);
    }
};

Quantized quantized(core::StageProgram stage, NamedTensors tensors)
{
    Quantized result{std::move(stage), StageWeights{std::move(tensors)}};
    const core::Status status =
        quantizeWeights(result.weights, result.stage, kCpu, [](double) { return true; });
    EXPECT_TRUE(status.ok());
    EXPECT_FALSE(result.weights.tensors.contains("fc.weight:statistic")) << "of no use any more";
    return result;
}

struct Window {
    std::vector<std::int64_t> stride{1, 1};
    std::vector<std::int64_t> padding{0, 0};
    std::vector<std::int64_t> dilation{1, 1};
    std::int64_t groups = 1;
};

struct StaticCase {
    const char* name;
    bool affine = false;
    Window window = {};

    friend void PrintTo(const StaticCase& each, std::ostream* stream) { *stream << each.name; }
};

class StaticOracle : public ::testing::TestWithParam<StaticCase>
{
protected:
    [[nodiscard]] const at::Tensor& golden(const char* part) const
    {
        return m_golden.at(std::string(GetParam().name) + "." + part);
    }
    [[nodiscard]] core::Scheme scheme() const
    {
        return namedScheme(GetParam().affine ? "int8-static:range=affine" : "int8-static");
    }

    // y = the convolution or the linear layer "fc" of x.
    [[nodiscard]] core::StageProgram stage() const
    {
        const std::vector<std::int64_t> shape = golden("weight").sizes().vec();
        if (shape.size() == 2)
            return tests::layerStage(scheme(), golden("x").sizes().vec(), shape[0], true);
        const Window& window = GetParam().window;
        core::LayerRow row = tests::layerRow(scheme(), shape[0], golden("weight")[0].numel());
        row.kind = core::LayerKind::Convolution;
        row.weightShape = shape;
        const core::DType working = core::DType::BFloat16;
        core::GraphBuilder builder;
        const auto x = builder.input("x", {working, golden("x").sizes().vec()});
        const core::ModuleScope scope(builder, "fc");
        const auto bias = builder.weight("fc.bias", {working, {shape[0]}});
        const auto weight = builder.weight("fc.weight", {working, shape});
        builder.output(builder.call1("aten::conv2d", {{"input", ValueRef{x}},
                                                      {"weight", ValueRef{weight}},
                                                      {"bias", ValueRef{bias}},
                                                      {"stride", window.stride},
                                                      {"padding", window.padding},
                                                      {"dilation", window.dilation},
                                                      {"groups", window.groups}}),
                       "y");
        core::StageProgram stage;
        stage.graph = core::markLayers(builder.finish().value(), 0, {row});
        stage.workingType = working;
        stage.preparations.push_back(core::prepareWeight(row).value());
        return stage;
    }
    [[nodiscard]] Quantized layer() const
    {
        return quantized(stage(), {{"fc.weight", golden("weight")},
                                   {"fc.bias", golden("bias")},
                                   {"fc.weight:statistic", golden("range")}});
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/static.safetensors");
};

TEST_P(StaticOracle, CodesAndScalesAreThoseOfTheRange)
{
    const Quantized own = layer();
    EXPECT_TRUE(own.part("codes").equal(golden("codes")));
    EXPECT_TRUE(own.part("scale").equal(golden("scale")));
    EXPECT_TRUE(own.part("input_scale").equal(golden("input_scale")));
    const auto zero = own.weights.tensors.find("fc.weight:input_zero");
    ASSERT_EQ(zero != own.weights.tensors.end(), GetParam().affine);
    EXPECT_TRUE(!GetParam().affine || zero->second.equal(golden("input_zero")));
}

TEST_P(StaticOracle, ProductsAreExact)
{
    // Sums of integers, one product and one sum in float32, one rounding: bit by bit.
    const Quantized own = layer();
    EXPECT_TRUE(own.run(golden("x")).equal(golden("y")));
    EXPECT_TRUE(own.runInFloat64(golden("x")).equal(golden("y")));
    if (multipliesInt8Exactly()) {
        EXPECT_TRUE(own.run(golden("x"), true).equal(golden("y"))) << "padded as CUDA needs it";
    }
    if (convolvesInt8Exactly()) {
        EXPECT_TRUE(own.runByKernel(golden("x")).equal(golden("y")));
    }
}

// torchao rounds to bfloat16 what the scale of the input makes of the product, that of the zero
// point, and what is left of both, before it multiplies with the scales of the rows; here the sum
// is rounded once.
TEST_P(StaticOracle, LinearLayersAreThoseOfTorchaoButForItsRoundings)
{
    const std::string torchao = std::string(GetParam().name) + ".torchao.";
    const Quantized own = layer();
    if (!own.isLinear())
        return;
    for (const char* part : {"codes", "scale", "input_scale"})
        EXPECT_TRUE(own.part(part).equal(m_golden.at(torchao + part))) << part;
    if (GetParam().affine) {
        EXPECT_TRUE(own.part("input_zero").equal(m_golden.at(torchao + "input_zero")));
    }
    const auto wide = [](const at::Tensor& tensor) { return tensor.to(at::kDouble); };
    const at::Tensor factor = wide(own.part("input_scale")) * wide(own.part("scale")).flatten();
    const at::Tensor codes = wide(own.part("codes"));
    const at::Tensor product =
        wide(m_golden.at(torchao + "input_codes")).matmul(codes.t()) * factor;
    const at::Tensor ofZero = wide(golden("input_zero")) * codes.sum(1) * factor;
    const at::Tensor theirs = wide(m_golden.at(torchao + "y"));
    const at::Tensor ours = wide(own.run(golden("x")));
    at::Tensor rounded = product.abs() + theirs.abs() + ours.abs();
    if (GetParam().affine)
        rounded += ofZero.abs() + (product - ofZero).abs();
    EXPECT_TRUE(((ours - theirs).abs() <= rounded * 1.01 * 0x1p-8).all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(
    All, StaticOracle,
    ::testing::Values(StaticCase{"plain", false, {{1, 1}, {1, 1}, {1, 1}, 1}},
                      StaticCase{"ragged", false, {{1, 1}, {0, 2}, {1, 1}, 1}},
                      StaticCase{"strided", true, {{2, 3}, {1, 1}, {1, 1}, 1}},
                      StaticCase{"dilated", true, {{1, 1}, {2, 1}, {2, 3}, 1}},
                      StaticCase{"grouped", true, {{1, 2}, {1, 0}, {1, 1}, 3}},
                      StaticCase{"depthwise", false, {{2, 2}, {1, 1}, {1, 1}, 4}},
                      StaticCase{"pointwise", true, {{2, 2}, {0, 0}, {1, 1}, 1}},
                      StaticCase{"linear"}, StaticCase{"linear_affine", true},
                      StaticCase{"linear_ragged", true}),
    [](const auto& info) { return std::string(info.param.name); });

// Sums beyond 2^24, which float32 rounds: the composition once, a kernel that works through the
// channels in blocks (AMX) once for each of them.
TEST(Int8ConvolutionKernel, RoundsOnlySumsThatFloat32DoesNotHold)
{
    if (!convolvesInt8Exactly())
        GTEST_SKIP() << "this processor adds products of 8 bits in 16";
    const c10::InferenceMode guard;
    const core::DType working = core::DType::BFloat16;
    const std::vector<std::int64_t> shape{24, 1024, 3, 3};
    for (const char* scheme : {"int8-static", "int8-static:range=affine:by=division"}) {
        core::LayerRow row = tests::layerRow(namedScheme(scheme), shape[0], shape[1] * 9);
        row.kind = core::LayerKind::Convolution;
        row.weightShape = shape;
        core::GraphBuilder b;
        const auto x = b.input("x", {working, {2, shape[1], 5, 6}});
        const core::ModuleScope scope(b, "fc");
        const auto weight = b.weight("fc.weight", {working, shape});
        b.output(core::conv2d(b, x, weight, -1, {.padding = 1}), "y");
        core::StageProgram stage;
        stage.graph = core::markLayers(b.finish().value(), 0, {row});
        stage.preparations.push_back(core::prepareWeight(row).value());
        const Quantized own =
            quantized(std::move(stage), {{"fc.weight", at::rand(shape).to(at::kBFloat16)},
                                         {"fc.weight:statistic", at::tensor({-0.25F, 1.0F})}});
        const at::Tensor image = at::rand({2, shape[1], 5, 6}).to(at::kBFloat16);
        const at::Tensor composed = own.run(image).to(at::kFloat);
        const at::Tensor difference = (own.runByKernel(image).to(at::kFloat) - composed).abs();
        EXPECT_TRUE((difference <= composed.abs() * 0x1p-7).all().item<bool>()) << scheme;
        // Few sums lie so near the middle of two numbers of 16 bits.
        EXPECT_LT((difference > 0).to(at::kFloat).mean().item<float>(), 0.01F) << scheme;
    }
}

struct RangeCase {
    const char* name;
    const char* options;

    friend void PrintTo(const RangeCase& each, std::ostream* stream) { *stream << each.name; }
};

class RangeOracle : public ::testing::TestWithParam<RangeCase>
{
protected:
    [[nodiscard]] const at::Tensor& golden(const char* part) const
    {
        return m_golden.at(std::string(GetParam().name) + "." + part);
    }
    [[nodiscard]] core::Scheme scheme() const
    {
        return namedScheme(std::string("int8-static") + GetParam().options);
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/ranges.safetensors");
};

// The oracle sorts the values and tries ranges on them; the engine counts values in bins.
TEST_P(RangeOracle, TheRangeIsThatOfTheValues)
{
    const at::Tensor& x = m_golden.at("x");
    const auto observer = makeObserver(scheme());
    for (int pass = 0; pass < observer->passes(); ++pass) {
        observer->beginPass(pass);
        for (const at::Tensor& sample : x.unbind(0))
            observer->see(sample);
    }
    const at::Tensor wide = x.to(at::kDouble);
    const double bin = (wide.max() - wide.min()).item<double>() / kRangeBins;
    const at::Tensor difference = (observer->statistic() - golden("range")).abs();
    EXPECT_LE(difference.max().item<double>(), 2.0 * bin);
    const bool isDefault = std::string(GetParam().options).find("method") == std::string::npos;
    const std::string plain =
        rangeRuleOf(scheme()).symmetric ? "absmax.range" : "absmax_affine.range";
    EXPECT_EQ(golden("range").equal(m_golden.at(plain)), isDefault) << "says nothing otherwise";
}

TEST_P(RangeOracle, CodesAreThoseOfTheRange)
{
    const at::Tensor& x = m_golden.at("x");
    const at::Tensor weight = at::randn({16, x.size(-1)}).to(at::kBFloat16);
    const Quantized own =
        quantized(tests::layerStage(scheme(), x.sizes().vec(), 16, false),
                  {{"fc.weight", weight}, {"fc.weight:statistic", golden("range")}});
    EXPECT_TRUE(own.part("input_scale").equal(golden("input_scale")));
    const auto zero = own.weights.tensors.find("fc.weight:input_zero");
    if (zero != own.weights.tensors.end()) {
        EXPECT_TRUE(zero->second.equal(golden("input_zero")));
    }
    // The product with these codes, in integers; it is scaled in float32 and rounded to bfloat16.
    const at::Tensor codes = golden("codes").to(at::kDouble) - golden("input_zero").item<double>();
    const at::Tensor exact =
        codes.matmul(own.part("codes").to(at::kDouble).t()) *
        (own.part("scale").to(at::kDouble).flatten() * golden("input_scale").to(at::kDouble));
    const at::Tensor error = (own.run(x).to(at::kDouble) - exact).abs();
    EXPECT_TRUE((error <= exact.abs() * 1.01 * 0x1p-8).all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(
    All, RangeOracle,
    ::testing::Values(RangeCase{"absmax", ""}, RangeCase{"absmax_affine", ":range=affine"},
                      RangeCase{"percentile", ":method=percentile:percentile=99.5"},
                      RangeCase{"percentile_affine",
                                ":range=affine:method=percentile:percentile=99.5"},
                      RangeCase{"mse", ":method=mse"},
                      RangeCase{"mse_affine", ":range=affine:method=mse"}),
    [](const auto& info) { return std::string(info.param.name); });

// A convolution with a batch norm behind it and what folding makes of them, in float32, against
// float64.
TEST(FoldedBatchNorm, ComputesWhatBothComputed)
{
    const c10::InferenceMode guard;
    const auto options = at::TensorOptions(at::kFloat);
    const NamedTensors plain{{"conv.weight", at::randn({6, 4, 3, 3}, options)},
                             {"conv.bias", at::randn({6}, options)},
                             {"bn.weight", at::randn({6}, options)},
                             {"bn.bias", at::randn({6}, options)},
                             {"bn.mean", at::randn({6}, options)},
                             {"bn.var", at::rand({6}, options) + 0.1}};
    core::GraphBuilder b;
    const auto weight = [&](const char* name) {
        return b.weight(name, {core::DType::Float32, plain.at(name).sizes().vec()});
    };
    const auto x = b.input("x", {core::DType::Float32, {2, 4, 9, 9}});
    const auto y = b.call1("qs::conv2d", {{"input", ValueRef{x}},
                                          {"weight", ValueRef{weight("conv.weight")}},
                                          {"bias", ValueRef{weight("conv.bias")}},
                                          {"scheme", std::string("int8-static")}});
    b.output(core::batchNorm(
                 b, y,
                 {weight("bn.weight"), weight("bn.bias"), weight("bn.mean"), weight("bn.var")},
                 1e-5),
             "y");
    const core::Graph graph = b.finish().value();
    core::StageProgram stage;
    core::FoldedGraph folded = core::foldBatchNorms(graph).value();
    stage.graph = folded.graph;
    stage.foldings = std::move(folded.foldings);
    StageWeights weights{plain};
    ASSERT_TRUE(foldWeights(weights, stage, kCpu).ok());
    const at::Tensor input = at::randn({2, 4, 9, 9}, options);
    const core::Graph one = core::withoutSchemes(stage.graph);
    const at::Tensor after =
        Executor::create(one, weights.tensors, kCpu).value().run({input})[0].to(at::kDouble);
    const auto wide = [&](const char* name) { return plain.at(name).to(at::kDouble); };
    const at::Tensor factor = wide("bn.weight") / (wide("bn.var") + 1e-5).sqrt();
    const at::Tensor convolved =
        at::conv2d(input.to(at::kDouble), wide("conv.weight"), wide("conv.bias"));
    const at::Tensor exact =
        (convolved - wide("bn.mean").view({1, 6, 1, 1})) * factor.view({1, 6, 1, 1}) +
        wide("bn.bias").view({1, 6, 1, 1});
    EXPECT_LT((after - exact).abs().max().item<double>(), 1e-6 * exact.abs().max().item<double>());
    EXPECT_EQ(one.nodes.size(), 1U);
}

class SmoothOracle : public ::testing::TestWithParam<const char*>
{
protected:
    [[nodiscard]] const at::Tensor& golden(const std::string& name) const
    {
        return m_golden.at(name);
    }
    [[nodiscard]] const at::Tensor& own(const char* part) const
    {
        return golden(std::string("alpha_") + GetParam() + "." + part);
    }
    [[nodiscard]] at::Tensor maxima() const
    {
        return golden("x").reshape({-1, golden("x").size(-1)}).abs().amax({0}).to(at::kFloat);
    }
    [[nodiscard]] Quantized layer(const std::string& scheme, bool bias) const
    {
        NamedTensors tensors{{"fc.weight", golden("weight")}, {"fc.bias", golden("bias")}};
        if (namedScheme(scheme)->statistic)
            tensors.emplace("fc.weight:statistic", maxima());
        return quantized(tests::layerStage(namedScheme(scheme), golden("x").sizes().vec(),
                                           golden("weight").size(0), bias),
                         std::move(tensors));
    }
    [[nodiscard]] static std::string scheme() { return std::string("int8sq:alpha=") + GetParam(); }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/smooth.safetensors");
};

TEST_P(SmoothOracle, IsThatOfTorchao)
{
    for (const bool bias : {false, true}) {
        const Quantized smooth = layer(scheme(), bias);
        EXPECT_TRUE(smooth.part("codes").equal(own("codes")));
        EXPECT_TRUE(smooth.part("scale").reshape({-1}).equal(own("scale").reshape({-1})));
        EXPECT_TRUE(smooth.part("smooth").equal(own("factor").reciprocal()));
        EXPECT_TRUE(smooth.run(golden("x")).equal(own(bias ? "y_bias" : "y")));
    }
}

TEST_P(SmoothOracle, TheFactorsCancel)
{
    // (x / s) · (w · s) = x · w in float64, with the factors as they are stored.
    const at::Tensor factor = own("factor").to(at::kDouble);
    const at::Tensor x = golden("x").to(at::kDouble);
    const at::Tensor weight = golden("weight").to(at::kDouble);
    const at::Tensor plain = x.matmul(weight.t());
    const at::Tensor smoothed = x.div(factor).matmul(weight.mul(factor).t());
    EXPECT_LT((smoothed - plain).abs().max().item<double>(),
              1e-13 * plain.abs().max().item<double>());
}

// The largest errors are those of the rows that the outlying feature leaves no codes for.
TEST_P(SmoothOracle, AnOutlyingFeatureCostsLess)
{
    const at::Tensor exact =
        golden("x").to(at::kDouble).matmul(golden("weight").to(at::kDouble).t());
    const auto error = [&](const std::string& name) {
        return (layer(name, false).run(golden("x")).to(at::kDouble) - exact).norm().item<double>();
    };
    // The larger alpha, the more of the outlier the weights have instead: with 1 all of it.
    const std::map<std::string, double> most{{"0.5", 0.5}, {"0.75", 0.75}, {"1", 1.5}};
    EXPECT_LT(error(scheme()), most.at(GetParam()) * error("int8dq"));
}

INSTANTIATE_TEST_SUITE_P(All, SmoothOracle, ::testing::Values("0.5", "0.75", "1"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return "alpha_" + name;
                         });

}  // namespace
}  // namespace qs::engine
