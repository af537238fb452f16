// The schemes, executed, against torchao 0.18.0 (tests/golden/schemes/generate.py).

#include "core/engine/execute/executor.h"
#include "core/graph/builder.h"
#include "core/lower/reference.h"
#include "core/lower/weight_preparation.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/golden_tensors.h"
#include "tests/support/scheme_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/item.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::DType;
using core::namedScheme;
using core::Scheme;

// Half the distance of two bfloat16 is at most this, relative to the value.
constexpr double kBfloat16Rounding = 0x1p-8;
constexpr double kFloat32Rounding = 0x1p-24;

NamedTensors readGolden(const std::string& name)
{
    return tests::readGoldenTensors("golden/schemes/" + name + ".safetensors");
}

struct SchemeCase {
    const char* file;
    Scheme scheme;
    const char* storage;  // whose codes and scales it uses
    bool padded = false;  // as on CUDA, which refuses int8 products of few rows

    [[nodiscard]] std::string name() const
    {
        std::string text = std::string(file) + "_" + scheme.text();
        std::replace(text.begin(), text.end(), '-', '_');
        return text + (padded ? "_padded" : "");
    }
    friend void PrintTo(const SchemeCase& each, std::ostream* stream) { *stream << each.name(); }
};

bool dynamic(const Scheme& scheme)
{
    return scheme != namedScheme("int8wo") && scheme != namedScheme("float8wo");
}

bool isInt8(const Scheme& scheme)
{
    return scheme == namedScheme("int8dq") || scheme == namedScheme("int8wo");
}

class SchemesOracle : public ::testing::TestWithParam<SchemeCase>
{
protected:
    const at::Tensor& golden(const std::string& name) const { return m_golden.at(name); }
    const at::Tensor& stored(const std::string& name) const
    {
        return golden(std::string(GetParam().storage) + "." + name);
    }

    // Codes and scale that the preparation of the weight leaves.
    NamedTensors prepared() const
    {
        const core::Graph graph =
            core::prepareWeight(tests::layerRow(GetParam().scheme, golden("weight").size(0),
                                                golden("weight").size(1)))
                .value();
        const auto executor = Executor::create(graph, {{"fc.weight", golden("weight")}}, kCpu);
        const auto results = executor.value().run({});
        return {{"fc.weight:codes", results[0]}, {"fc.weight:scale", results[1]}};
    }

    // On a CPU; what is padded there is so because a GPU would have it so.
    core::Graph layer(bool bias) const
    {
        core::DeviceDescription device = core::describeCpu();
        if (GetParam().padded)
            device.kind = core::DeviceKind::Cuda;
        return core::referenceStage(tests::layerStage(GetParam().scheme, golden("x").sizes().vec(),
                                                      golden("weight").size(0), bias),
                                    device)
            .value()
            .graph;
    }

    // torchao gives NaN where a float8 scale is 0; there we have scale 1 and codes 0. Elsewhere
    // every bit agrees. Returns the number of such scales.
    static std::int64_t compareStored(const at::Tensor& codes, const at::Tensor& scale,
                                      const at::Tensor& goldenCodes, const at::Tensor& goldenScale)
    {
        EXPECT_EQ(codes.scalar_type(), goldenCodes.scalar_type());
        EXPECT_EQ(codes.numel(), goldenCodes.numel());
        const at::Tensor theirScale = goldenScale.reshape({-1, 1});
        const at::Tensor zero = theirScale.eq(0.0);
        EXPECT_TRUE(scale.reshape({-1, 1}).equal(at::where(zero, 1.0, theirScale)));
        // Values, then the sign of zero: of int8 and e4m3 that is every bit.
        const at::Tensor ours = codes.to(at::kFloat).reshape({-1, codes.size(-1)});
        const at::Tensor theirs = goldenCodes.to(at::kFloat).reshape_as(ours);
        const at::Tensor different =
            ours.ne(at::where(zero, 0.0, theirs)) | (ours.signbit().ne(theirs.signbit()) & ~zero);
        EXPECT_EQ(different.sum().item<std::int64_t>(), 0) << "of " << ours.numel() << " codes";
        return zero.sum().item<std::int64_t>();
    }

    // |x| · |weight|ᵀ of the values that are multiplied: the scale of rounding errors in float32.
    at::Tensor magnitude(const NamedTensors& weight) const
    {
        const auto wide = [](const at::Tensor& codes, const at::Tensor& scale) {
            const at::Tensor values = codes.to(at::kDouble).reshape({-1, codes.size(-1)});
            return values.mul(at::where(scale.eq(0.0), 1.0, scale).reshape({-1, 1})).nan_to_num();
        };
        const at::Tensor x = dynamic(GetParam().scheme)
                                 ? wide(stored("x.codes"), stored("x.scale"))
                                 : golden("x").to(at::kDouble).reshape({-1, golden("x").size(-1)});
        const at::Tensor w = wide(weight.at("fc.weight:codes"), weight.at("fc.weight:scale"));
        return x.abs().matmul(w.abs().t());
    }

    // What subnormal inputs add to the output: processors with bfloat16 products take them for
    // zero, others do not.
    at::Tensor subnormalShare(const NamedTensors& weight) const
    {
        const at::Tensor x = golden("x").to(at::kDouble).reshape({-1, golden("x").size(-1)}).abs();
        const at::Tensor w =
            weight.at("fc.weight:codes").to(at::kDouble).reshape({-1, x.size(-1)}) *
            weight.at("fc.weight:scale").to(at::kDouble).reshape({-1, 1});
        return at::where(x.lt(0x1p-126), x, 0.0).matmul(w.abs().t());
    }

    void compareOutput(const NamedTensors& tensors, bool bias) const;

    NamedTensors m_golden = readGolden(GetParam().file);
    c10::InferenceMode m_guard;
};

void SchemesOracle::compareOutput(const NamedTensors& tensors, bool bias) const
{
    const core::Graph graph = layer(bias);
    const at::Tensor y = Executor::create(graph, tensors, kCpu).value().run({golden("x")})[0];
    const std::string name = GetParam().scheme.text();
    at::Tensor theirs = golden((name == "float8dq-tensor" ? "float8dq_tensor"
                                : name == "float8dq-row"  ? "float8dq_row"
                                                          : name) +
                               (bias ? ".y_bias" : ".y"));
    ASSERT_EQ(y.scalar_type(), at::kBFloat16);
    ASSERT_EQ(y.sizes(), theirs.sizes());
    if (GetParam().scheme == namedScheme("int8dq")) {
        // Sums of integers have no rounding and the rest is element by element.
        EXPECT_TRUE(y.equal(theirs));
        return;
    }
    const at::Tensor added = bias ? golden("bias").to(at::kDouble) : at::zeros({}, at::kDouble);
    const at::Tensor ours = y.to(at::kDouble).reshape({-1, y.size(-1)});
    theirs = theirs.to(at::kDouble).reshape_as(ours);
    theirs = at::where(theirs.isnan(), added.expand_as(theirs), theirs);
    const at::Tensor sums =
        magnitude(tensors) * kFloat32Rounding * static_cast<double>(golden("x").size(-1));
    const at::Tensor difference = (ours - theirs).abs();
    if (dynamic(GetParam().scheme)) {
        // The golden product is exact: one rounding to bfloat16 and those of the float32 sums.
        EXPECT_TRUE((difference <= theirs.abs() * kBfloat16Rounding + sums).all().item<bool>());
        return;
    }
    // The same operations with bfloat16 after each; the order of sums belongs to the CPU, and where
    // it turns a rounding, that step moves by one unit: two half units per rounding, three of them.
    const at::Tensor size = theirs.abs() + 2.0 * added.abs();
    const at::Tensor flushed = subnormalShare(tensors) * (1.0 + 6.0 * kBfloat16Rounding);
    EXPECT_TRUE((difference <= size * 6.0 * kBfloat16Rounding + sums + flushed).all().item<bool>());
    const auto equal = (ours.eq(theirs) | flushed.gt(0.0)).sum().item<std::int64_t>();
    EXPECT_GE(equal, ours.numel() - ours.numel() / 100) << "of " << ours.numel() << " values";
}

TEST_P(SchemesOracle, WeightsHaveTheCodesAndScalesOfTorchao)
{
    const NamedTensors weight = prepared();
    const auto zeroScales =
        compareStored(weight.at("fc.weight:codes"), weight.at("fc.weight:scale"),
                      stored("weight.codes"), stored("weight.scale"));
    // A row of zeros and one of 1e-40.
    EXPECT_EQ(zeroScales, std::string(GetParam().storage) == "float8_row" ? 2 : 0);
}

TEST_P(SchemesOracle, ActivationsHaveTheCodesAndScalesOfTorchao)
{
    core::Graph graph = layer(true);
    // The scale is what the activation is divided by, or multiplied with the reciprocal of.
    const bool int8 = isInt8(GetParam().scheme);
    core::ValueId scale = -1;
    core::ValueId codes = -1;
    for (const core::Node& node : graph.nodes) {
        if (node.operation->fullName() == (int8 ? "aten::reciprocal" : "aten::div.Tensor"))
            scale = node.tensor(int8 ? "self" : "other");
        if (graph.value(node.outputs[0]).type.dtype == (int8 ? DType::Int8 : DType::Float8E4M3) &&
            node.operation->fullName() == "aten::to.dtype")
            codes = node.outputs[0];
    }
    if (!dynamic(GetParam().scheme)) {
        EXPECT_EQ(codes, -1) << "weight-only schemes leave activations alone";
        return;
    }
    ASSERT_GE(scale, 0);
    ASSERT_GE(codes, 0);
    graph.outputs = {codes, scale};
    NamedTensors tensors = prepared();
    tensors.emplace("fc.bias", golden("bias"));
    const auto results = Executor::create(graph, tensors, kCpu).value().run({golden("x")});
    const auto zeroScales =
        compareStored(results[0], results[1], stored("x.codes"), stored("x.scale"));
    EXPECT_EQ(zeroScales, GetParam().scheme == namedScheme("float8dq-row") ? 2 : 0);
}

TEST_P(SchemesOracle, OutputsAgree)
{
    NamedTensors tensors = prepared();
    {
        SCOPED_TRACE("without bias");
        compareOutput(tensors, false);
    }
    SCOPED_TRACE("with bias");
    tensors.emplace("fc.bias", golden("bias"));
    compareOutput(tensors, true);
}

std::vector<SchemeCase> allCases()
{
    std::vector<SchemeCase> cases;
    for (const char* file : {"wide", "odd_rows", "pictures"}) {
        cases.push_back({file, namedScheme("int8dq"), "int8"});
        cases.push_back({file, namedScheme("int8wo"), "int8"});
        cases.push_back({file, namedScheme("float8dq-tensor"), "float8_tensor"});
        cases.push_back({file, namedScheme("float8dq-row"), "float8_row"});
        cases.push_back({file, namedScheme("float8wo"), "float8_row"});
    }
    cases.push_back({"pictures", namedScheme("int8dq"), "int8", true});
    return cases;
}

INSTANTIATE_TEST_SUITE_P(All, SchemesOracle, ::testing::ValuesIn(allCases()),
                         [](const auto& info) { return info.param.name(); });

// The files must contain what makes implementations differ, or the comparison says little.
TEST(SchemeGoldens, HoldTiesZerosAndOutliers)
{
    const c10::InferenceMode guard;
    const NamedTensors golden = readGolden("wide");
    const at::Tensor& x = golden.at("x");
    const at::Tensor int8Steps = x.to(at::kFloat) / golden.at("int8.x.scale");
    const at::Tensor halfway = (int8Steps.abs() - int8Steps.abs().floor()).eq(0.5);
    EXPECT_GE(halfway.sum().item<std::int64_t>(), x.size(1));
    const at::Tensor codes = golden.at("int8.x.codes");
    EXPECT_TRUE(codes.eq(-128).any().item<bool>());
    EXPECT_TRUE(codes.eq(127).any().item<bool>());
    EXPECT_FALSE(x[0].ne(0).any().item<bool>());
    EXPECT_TRUE(golden.at("float8_row.x.codes")[0].to(at::kFloat).isnan().all().item<bool>());
    EXPECT_EQ(golden.at("float8_tensor.x.scale").item<float>(), 4.0F);
    const float scale = readGolden("odd_rows").at("float8_tensor.x.scale").item<float>();
    EXPECT_NE(scale, 2480.0F / 448.0F) << "the division is rounded to bfloat16";
}

}  // namespace
}  // namespace qs::engine
