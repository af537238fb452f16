// Options of the schemes, executed, against tests/golden/schemes/generate_options.py. Each of them
// gives other codes than the default, or its test would say nothing.

#include "core/engine/execute/executor.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/reference.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/golden_tensors.h"
#include "tests/support/scheme_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::DType;
using core::namedScheme;
using core::Scheme;

// One layer of a scheme on the CPU.
class Layer
{
public:
    Layer(const std::string& scheme, at::Tensor x, at::Tensor weight,
          std::optional<at::Tensor> bias = {}, std::optional<at::Tensor> statistic = {})
        : m_x(std::move(x)),
          m_stage(tests::layerStage(namedScheme(scheme), m_x.sizes().vec(), weight.size(0),
                                    bias.has_value()))
    {
        m_weights.tensors.emplace("fc.weight", std::move(weight));
        if (bias)
            m_weights.tensors.emplace("fc.bias", *bias);
        if (statistic)
            m_weights.tensors.emplace("fc.weight:statistic", *statistic);
        EXPECT_TRUE(quantizeWeights(m_weights, m_stage, kCpu, [](double) { return true; }).ok());
    }

    [[nodiscard]] const at::Tensor& part(const char* name) const
    {
        return m_weights.tensors.at(std::string("fc.weight:") + name);
    }
    // The first value of that type that an operation computes.
    [[nodiscard]] at::Tensor firstOf(DType type, const char* operation) const
    {
        core::Graph graph = core::referenceStage(m_stage, core::describeCpu()).value().graph;
        for (const core::Node& node : graph.nodes) {
            if (graph.value(node.outputs[0]).type.dtype != type ||
                node.operation->name != operation)
                continue;
            graph.outputs = {node.outputs[0]};
            return Executor::create(graph, m_weights.tensors, kCpu).value().run({m_x})[0];
        }
        ADD_FAILURE() << "no " << operation;
        return m_x;
    }
    [[nodiscard]] at::Tensor output() const
    {
        const core::Graph graph = core::referenceStage(m_stage, core::describeCpu()).value().graph;
        return Executor::create(graph, m_weights.tensors, kCpu).value().run({m_x})[0];
    }

private:
    at::Tensor m_x;
    core::StageProgram m_stage;
    StageWeights m_weights;
};

bool sameCodes(const at::Tensor& a, const at::Tensor& b)
{
    return a.sizes() == b.sizes() && a.to(at::kFloat).equal(b.to(at::kFloat));
}

class SchemeOptions : public ::testing::Test
{
protected:
    const at::Tensor& golden(const std::string& name) const { return m_golden.at(name); }
    [[nodiscard]] Layer layer(const std::string& scheme, bool bias = false) const
    {
        return {scheme, golden("x"), golden("weight"),
                bias ? std::optional(golden("bias")) : std::nullopt};
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/schemes/options.safetensors");
};

TEST_F(SchemeOptions, ReducedActivationsHaveTheCodesOfTorchaoBefore016)
{
    const Layer reduced = layer("int8dq:rule=reduced");
    const at::Tensor codes = reduced.firstOf(DType::Int8, "aten::to");
    EXPECT_TRUE(sameCodes(codes, golden("reduced.x.codes")));
    EXPECT_FALSE(sameCodes(codes, layer("int8dq").firstOf(DType::Int8, "aten::to")));
    EXPECT_TRUE(sameCodes(reduced.part("codes"), layer("int8dq").part("codes")));
    // Its output is the product of these codes and scales: two roundings to bfloat16.
    const at::Tensor x = golden("reduced.x.codes").to(at::kDouble) *
                         golden("reduced.x.scale").to(at::kDouble).reshape({-1, 1});
    const at::Tensor w =
        reduced.part("codes").to(at::kDouble) * reduced.part("scale").to(at::kDouble);
    const at::Tensor exact = x.matmul(w.t());
    const at::Tensor error = (reduced.output().to(at::kDouble) - exact).abs();
    EXPECT_TRUE((error <= exact.abs() * 0x1p-7 + 1e-6).all().item<bool>());
}

TEST_F(SchemeOptions, DivisionGivesOtherCodesThanTheReciprocal)
{
    for (const char* scheme : {"int8dq", "int8wo"}) {
        const std::string option = std::string(scheme) + ":by=division";
        const Layer divided(option, golden("halves"), golden("halves"));
        EXPECT_TRUE(sameCodes(divided.part("codes"), golden("division.codes"))) << scheme;
        EXPECT_TRUE(divided.part("scale").equal(golden("division.scale"))) << scheme;
        const Layer multiplied(scheme, golden("halves"), golden("halves"));
        EXPECT_FALSE(sameCodes(multiplied.part("codes"), golden("division.codes"))) << scheme;
    }
    const Layer divided("int8dq:by=division", golden("halves"), golden("halves"));
    EXPECT_TRUE(sameCodes(divided.firstOf(DType::Int8, "aten::to"), golden("division.codes")));
}

TEST_F(SchemeOptions, Float8ScalesCanBeThoseOfFloat32)
{
    for (const char* scheme : {"float8dq-row", "float8wo"}) {
        const Layer wide = layer(std::string(scheme) + ":scale=float32");
        EXPECT_TRUE(sameCodes(wide.part("codes"), golden("float8_scale.weight.codes"))) << scheme;
        EXPECT_TRUE(wide.part("scale").equal(golden("float8_scale.weight.scale"))) << scheme;
        EXPECT_FALSE(layer(scheme).part("scale").equal(golden("float8_scale.weight.scale")));
    }
    const at::Tensor codes =
        layer("float8dq-row:scale=float32").firstOf(DType::Float8E4M3, "aten::to");
    EXPECT_TRUE(sameCodes(codes, golden("float8_scale.x.codes")));
    EXPECT_FALSE(sameCodes(codes, layer("float8dq-row").firstOf(DType::Float8E4M3, "aten::to")));
}

TEST_F(SchemeOptions, Float8CodesCanComeByTheReciprocal)
{
    const at::Tensor& middles = golden("middles");
    const Layer multiplied("float8dq-row:by=reciprocal", middles, middles);
    const at::Tensor codes = multiplied.firstOf(DType::Float8E4M3, "aten::to");
    EXPECT_TRUE(sameCodes(codes, golden("float8_reciprocal.codes")));
    EXPECT_TRUE(sameCodes(multiplied.part("codes"), golden("float8_reciprocal.codes")));
    EXPECT_TRUE(multiplied.part("scale").equal(golden("float8_reciprocal.scale")));
    const Layer divided("float8dq-row", middles, middles);
    EXPECT_FALSE(sameCodes(divided.part("codes"), golden("float8_reciprocal.codes")));
}

TEST_F(SchemeOptions, Float8WithOneScaleHasTheSameOptions)
{
    // The same tensor as the weight and as the input.
    const auto made = [&](const std::string& scheme, const char* tensor) {
        return Layer(scheme, golden(tensor), golden(tensor));
    };
    const auto expectCodes = [&](const Layer& own, const std::string& name) {
        EXPECT_TRUE(sameCodes(own.part("codes"), golden(name + ".codes"))) << name;
        EXPECT_TRUE(own.part("scale").equal(golden(name + ".scale"))) << name;
        EXPECT_TRUE(sameCodes(own.firstOf(DType::Float8E4M3, "aten::to"), golden(name + ".codes")))
            << name;
    };
    expectCodes(made("float8dq-tensor:scale=float32", "half_rows"), "float8_tensor");
    const Layer narrow = made("float8dq-tensor", "half_rows");
    EXPECT_FALSE(narrow.part("scale").equal(golden("float8_tensor.scale")));
    EXPECT_FALSE(sameCodes(narrow.part("codes"), golden("float8_tensor.codes")));

    expectCodes(made("float8dq-tensor:by=reciprocal", "middle_rows"), "float8_tensor_reciprocal");
    const Layer divided = made("float8dq-tensor", "middle_rows");
    EXPECT_FALSE(sameCodes(divided.part("codes"), golden("float8_tensor_reciprocal.codes")));
    EXPECT_FALSE(sameCodes(divided.firstOf(DType::Float8E4M3, "aten::to"),
                           golden("float8_tensor_reciprocal.codes")));
}

TEST_F(SchemeOptions, CalibratedInt8CanDivide)
{
    // Where inputs are as large as the weights in each feature, SmoothQuant's factors are 1.
    const at::Tensor& halves = golden("halves");
    const at::Tensor maxima = halves.to(at::kFloat).abs().amax({0});
    const auto smooth = [&](const char* scheme) {
        return Layer(scheme, halves, halves, {}, maxima);
    };
    const Layer divided = smooth("int8sq:by=division");
    EXPECT_TRUE(divided.part("smooth").to(at::kFloat).eq(1.0).all().item<bool>());
    EXPECT_TRUE(sameCodes(divided.part("codes"), golden("division.codes")));
    EXPECT_TRUE(sameCodes(divided.firstOf(DType::Int8, "aten::to"), golden("division.codes")));
    const Layer multiplied = smooth("int8sq");
    EXPECT_FALSE(sameCodes(multiplied.part("codes"), golden("division.codes")));
    EXPECT_FALSE(sameCodes(multiplied.firstOf(DType::Int8, "aten::to"), golden("division.codes")));

    const auto fixed = [&](const char* scheme) {
        return Layer(scheme, golden("half_rows"), halves, {}, golden("tensor_division.range"));
    };
    const Layer dividedFixed = fixed("int8-static:by=division");
    EXPECT_TRUE(dividedFixed.part("input_scale").equal(golden("tensor_division.scale")));
    EXPECT_TRUE(sameCodes(dividedFixed.part("codes"), golden("division.codes")));
    EXPECT_TRUE(
        sameCodes(dividedFixed.firstOf(DType::Int8, "aten::to"), golden("tensor_division.codes")));
    const Layer multipliedFixed = fixed("int8-static");
    EXPECT_FALSE(sameCodes(multipliedFixed.part("codes"), golden("division.codes")));
    EXPECT_FALSE(sameCodes(multipliedFixed.firstOf(DType::Int8, "aten::to"),
                           golden("tensor_division.codes")));
}

TEST_F(SchemeOptions, TheTensorRuleIsThatOfQuantizeDynamic)
{
    const Layer tensor = layer("int8dq:rule=tensor");
    EXPECT_TRUE(sameCodes(tensor.part("codes"), golden("tensor.weight.codes")));
    EXPECT_TRUE(tensor.part("scale").equal(golden("tensor.weight.scale")));
    EXPECT_FALSE(sameCodes(tensor.part("codes"), layer("int8dq").part("codes")));
    // Theirs is float32; ours is rounded once more.
    EXPECT_TRUE(tensor.output().equal(golden("tensor.y").to(at::kBFloat16)));
    EXPECT_TRUE(layer("int8dq:rule=tensor", true)
                    .output()
                    .equal(golden("tensor.y_bias").to(at::kBFloat16)));
}

TEST_F(SchemeOptions, ATailIsAShorterGroup)
{
    for (const int group : {32, 64, 128}) {
        SCOPED_TRACE(group);
        const std::string name = "int4wo-" + std::to_string(group) + ":tail=1";
        const at::Tensor weight = golden("wide_tail");
        const at::Tensor x = golden("x").slice(1, 0, 80).contiguous();
        const Layer tail(name, x, weight);
        const std::string prefix = "int4_tail_" + std::to_string(group) + ".weight.";
        const at::Tensor& bytes = tail.part("codes");
        const at::Tensor codes =
            at::stack({bytes.__rshift__(4), bytes.__and__(15)}, -1).flatten(1, 2);
        EXPECT_TRUE(codes.equal(golden(prefix + "codes")));
        EXPECT_TRUE(tail.part("scale").equal(golden(prefix + "scale")));
        EXPECT_TRUE(tail.part("zero").equal(golden(prefix + "zero")));
        // The weight of the product, in float64 from the golden parts: three roundings each.
        const auto perColumn = [&](const char* name) {
            return golden(prefix + name)
                .to(at::kDouble)
                .repeat_interleave(group, 1)
                .slice(1, 0, 80);
        };
        const at::Tensor steps =
            (golden(prefix + "codes").to(at::kDouble) - 8.0) * perColumn("scale");
        const at::Tensor exact = x.to(at::kDouble).matmul((steps + perColumn("zero")).t());
        const at::Tensor size =
            x.to(at::kDouble).abs().matmul((steps.abs() + perColumn("zero").abs()).t());
        const at::Tensor error = (tail.output().to(at::kDouble) - exact).abs();
        // Subnormal inputs: processors with bfloat16 products take them for zero.
        EXPECT_TRUE((error <= size * 0x1p-6 + 1e-36).all().item<bool>());
    }
}

}  // namespace
}  // namespace qs::engine
