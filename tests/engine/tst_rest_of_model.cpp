// rest=: layers in a model that is in float16, or in float32 under autocast, against
// tests/golden/schemes/generate_rest.py; and cells of such models as a whole.

#include "core/engine/cell_runner.h"
#include "core/engine/execute/executor.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/reference.h"
#include "core/quant/rest_of_model.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/golden_tensors.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::DType;
using core::namedScheme;

class RestOfModel : public ::testing::TestWithParam<std::string>
{
protected:
    struct Made {
        NamedTensors weights;
        at::Tensor output;
    };

    const at::Tensor& golden(const std::string& name) const
    {
        return m_golden.at(GetParam() + "." + name);
    }
    // A layer with bias of the golden tensors, in the type of what is around it. `given`: what
    // calibration found, or the parts of a weight that a solver made.
    [[nodiscard]] Made layer(const std::string& text, const NamedTensors& given = {}) const
    {
        const core::Scheme scheme = namedScheme(text);
        const c10::ScalarType type = core::workingTypeOf(scheme) == DType::BFloat16
                                         ? at::kBFloat16
                                         : golden("x").scalar_type();
        const core::StageProgram stage =
            tests::layerStage(scheme, golden("x").sizes().vec(), golden("weight").size(0), true);
        StageWeights weights;
        weights.tensors.emplace("fc.weight", golden("weight").to(type));
        weights.tensors.emplace("fc.bias", golden("bias").to(type));
        weights.tensors.insert(given.begin(), given.end());
        if (scheme->solver.empty()) {
            EXPECT_TRUE(quantizeWeights(weights, stage, kCpu, [](double) { return true; }).ok());
        }
        const auto history = weights.tensors.find("fc.weight:history:initial");
        if (history != weights.tensors.end())
            weights.tensors.emplace("fc.weight:history", history->second.clone());
        const core::Graph graph = core::referenceStage(stage, core::describeCpu()).value().graph;
        const auto executor = Executor::create(graph, weights.tensors, kCpu);
        return {weights.tensors, executor.value().run({golden("x").to(type)}).front()};
    }
    [[nodiscard]] Made ours(const std::string& scheme, const NamedTensors& given = {}) const
    {
        return layer(scheme + ":rest=" + GetParam(), given);
    }
    [[nodiscard]] at::Tensor statistic() const { return golden("x").to(at::kFloat); }
    // Unit roundoff of the type around the layer.
    [[nodiscard]] double rounding() const { return GetParam() == "fp16" ? 0x1p-11 : 0x1p-24; }
    // That no y of the golden is further away than by its share of itself and `product` of the
    // product, before the bias came; `sums`: what adding up floats of 32 bits may cost.
    void expectOutput(const Made& made, const std::string& scheme, double product,
                      double sums = 1e-5) const
    {
        const at::Tensor exact = golden(scheme + ".y").to(at::kDouble);
        const at::Tensor y = exact + golden("bias").to(at::kDouble);
        EXPECT_EQ(made.output.scalar_type(), golden("x").scalar_type());
        const at::Tensor difference = (made.output.to(at::kDouble) - y).abs();
        EXPECT_TRUE((difference <= exact.abs() * product + y.abs() * 1.01 * rounding() + sums)
                        .all()
                        .item<bool>());
    }
    void expectPart(const Made& made, const char* part, const std::string& name) const
    {
        const at::Tensor& own = made.weights.at(std::string("fc.weight:") + part);
        EXPECT_EQ(own.scalar_type(), golden(name).scalar_type());
        EXPECT_TRUE(
            own.to(at::kFloat).reshape({-1}).equal(golden(name).to(at::kFloat).reshape({-1})))
            << name;
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/schemes/rest.safetensors");
};

TEST_P(RestOfModel, LayersAreThoseOfTorchao)
{
    for (const std::string scheme : {"int8dq", "int8wo", "float8wo"}) {
        SCOPED_TRACE(scheme);
        const Made made = ours(scheme);
        // A row of zeros has neither scale nor codes in torchao's float8: it divides by zero.
        const at::Tensor none = golden(scheme + ".scale").reshape({-1, 1}).eq(0.0);
        const at::Tensor codes = golden(scheme + ".codes").to(at::kFloat);
        const at::Tensor scale = golden(scheme + ".scale").reshape({-1, 1});
        EXPECT_TRUE(
            made.weights.at("fc.weight:codes").to(at::kFloat).equal(at::where(none, 0.0, codes)));
        EXPECT_TRUE(made.weights.at("fc.weight:scale").equal(at::where(none, 1.0, scale)));
        EXPECT_EQ(made.output.scalar_type(), golden("x").scalar_type());
        const at::Tensor theirs =
            at::where(none.reshape({1, -1}), golden("bias"), golden(scheme + ".y"));
        // Integers are added up exactly; of floats the order is the processor's.
        const double equal = made.output.eq(theirs).to(at::kDouble).mean().item<double>();
        EXPECT_GE(equal, scheme == "int8dq" ? 1.0 : 0.95);
        EXPECT_FALSE(layer(scheme).output.to(at::kFloat).equal(made.output.to(at::kFloat)))
            << "bfloat16 around it gives other numbers";
    }
}

TEST_P(RestOfModel, GroupsHaveTheScalesOfItsType)
{
    const Made made = ours("int4wo-32");
    const at::Tensor& bytes = made.weights.at("fc.weight:codes");
    EXPECT_TRUE(at::stack({bytes.__rshift__(4), bytes.__and__(15)}, -1)
                    .flatten(1, 2)
                    .equal(golden("int4wo.codes")));
    EXPECT_TRUE(made.weights.at("fc.weight:scale").equal(golden("int4wo.scale").reshape({48, 3})));
    EXPECT_TRUE(made.weights.at("fc.weight:zero").equal(golden("int4wo.zero").reshape({48, 3})));
    // Autocast narrows the product, also that of a weight of four bits.
    const c10::ScalarType product =
        GetParam() == "autocast" ? at::kBFloat16 : golden("x").scalar_type();
    const at::Tensor weight = golden("int4wo.weight").to(product);
    const at::Tensor exact =
        golden("x").to(product).to(at::kDouble).matmul(weight.to(at::kDouble).t());
    const at::Tensor y = exact + golden("bias").to(at::kDouble);
    const double rounding = product == at::kBFloat16 ? 0x1p-8
                            : product == at::kHalf   ? 0x1p-9
                                                     : 0x1p-20;
    EXPECT_TRUE(
        ((made.output.to(at::kDouble) - y).abs() <= (exact.abs() + y.abs()) * rounding + 1e-3)
            .all()
            .item<bool>());
    EXPECT_TRUE(made.output.isfinite().all().item<bool>()) << "groups of equal weights, too";
}

// torchao has these products for bfloat16 alone. Weights are stored as by float8wo; the rows of x
// are quantized here by the formula, and the product is exact.
TEST_P(RestOfModel, Float8ProductsAreRoundedOnceAndLeaveItsType)
{
    const Made made = ours("float8dq-row");
    EXPECT_TRUE(made.weights.at("fc.weight:codes")
                    .to(at::kFloat)
                    .equal(ours("float8wo").weights.at("fc.weight:codes").to(at::kFloat)));
    const at::Tensor& x = golden("x");
    const at::Tensor ratio = (x.abs().amax({-1}, true) / 448.0).to(at::kFloat);
    const at::Tensor scale = at::where(ratio.eq(0.0), 1.0, ratio);
    const at::Tensor codes = (x.to(at::kFloat) / scale).clamp(-448.0, 448.0).to(at::kFloat8_e4m3fn);
    const at::Tensor exact = (codes.to(at::kDouble) * scale)
                                 .matmul((made.weights.at("fc.weight:codes").to(at::kDouble) *
                                          made.weights.at("fc.weight:scale"))
                                             .t());
    const at::Tensor y = exact + golden("bias").to(at::kDouble);
    EXPECT_EQ(made.output.scalar_type(), x.scalar_type());
    const at::Tensor difference = (made.output.to(at::kDouble) - y).abs();
    EXPECT_TRUE((difference <= exact.abs() * 0x1p-8 + y.abs() * 0x1p-10 + 1e-5).all().item<bool>());
    EXPECT_GT((difference > y.abs() * 0x1p-11 + 1e-5).sum().item<std::int64_t>(), 0)
        << "the product is one of bfloat16";
}

TEST_P(RestOfModel, SmoothedLayersAreThoseOfTorchao)
{
    const NamedTensors maxima{{"fc.weight:statistic", statistic().abs().amax({0})}};
    const Made made = ours("int8sq", maxima);
    // The square root of a power is that of the processor's instructions, to the last bit.
    const auto partOf = [&](const char* part) {
        return made.weights.at(std::string("fc.weight:") + part).to(at::kDouble).reshape({-1});
    };
    const auto theirs = [&](const char* part) {
        return golden(std::string("int8sq.") + part).to(at::kDouble).reshape({-1});
    };
    for (const char* part : {"smooth", "scale"})
        EXPECT_TRUE(at::allclose(partOf(part), theirs(part), 1e-6, 0.0)) << part;
    EXPECT_LE((partOf("codes") - theirs("codes")).abs().max().item<double>(), 1.0);
    EXPECT_LE((partOf("codes") - theirs("codes")).abs().mean().item<double>(), 0.01);
    const at::Tensor y = golden("int8sq.y").to(at::kDouble);
    EXPECT_LE(((made.output.to(at::kDouble) - y).norm() / y.norm()).item<double>(), 0x1p-9);
    EXPECT_FALSE(layer("int8sq", maxima).output.to(at::kFloat).equal(made.output.to(at::kFloat)));
}

TEST_P(RestOfModel, StaticProductsAreRoundedOnceToItsType)
{
    const NamedTensors range{
        {"fc.weight:statistic", at::stack({statistic().min(), statistic().max()})}};
    const Made made = ours("int8-static", range);
    expectPart(made, "codes", "int8dq.codes");
    expectPart(made, "scale", "int8dq.scale");
    expectPart(made, "input_scale", "int8-static.input_scale");
    expectOutput(made, "int8-static", 0x1p-22);
    EXPECT_FALSE(
        layer("int8-static", range).output.to(at::kFloat).equal(made.output.to(at::kFloat)));
}

// One scale of the input, of this pass or of those before it; products of float8 leave as bfloat16.
TEST_P(RestOfModel, Float8OfWholeTensorsIsRoundedAsThatOfRows)
{
    const NamedTensors history{{"fc.weight:statistic", at::tensor({5.0F, 9.0F, 0.0F})}};
    for (const std::string scheme : {"float8dq-tensor", "float8-delayed"}) {
        SCOPED_TRACE(scheme);
        const bool delayed = scheme == "float8-delayed";
        const std::string text = scheme + (delayed ? ":history=3" : "");
        const NamedTensors given = delayed ? history : NamedTensors();
        const Made made = ours(text, given);
        expectPart(made, "codes", scheme + ".codes");
        expectPart(made, "scale", scheme + ".scale");
        expectOutput(made, scheme, 0x1.02p-8);
        EXPECT_FALSE(layer(text, given).output.to(at::kFloat).equal(made.output.to(at::kFloat)));
    }
}

TEST_P(RestOfModel, SolvedWeightsAreMultipliedInItsType)
{
    const at::Tensor pairs = golden("gptq-int4.codes").unflatten(1, {-1, 2});
    const auto given = [&](const at::Tensor& scale) {
        return NamedTensors{{"fc.weight:codes", pairs.select(2, 0).bitwise_left_shift(4).bitwise_or(
                                                    pairs.select(2, 1))},
                            {"fc.weight:scale", scale}};
    };
    const at::Tensor& scale = golden("gptq-int4.scale");
    const Made made = ours("gptq-int4-32", given(scale));
    EXPECT_EQ(scale.scalar_type(), golden("x").scalar_type());
    expectOutput(made, "gptq-int4",
                 GetParam() == "autocast" ? 0x1.02p-8 : 2.0 * rounding() + 0x1p-20, 1e-4);
    const Made narrow = layer("gptq-int4-32", given(scale.to(at::kBFloat16)));
    EXPECT_FALSE(narrow.output.to(at::kFloat).equal(made.output.to(at::kFloat)));
}

INSTANTIATE_TEST_SUITE_P(All, RestOfModel, testing::Values("fp16", "fp32", "autocast"),
                         [](const auto& info) { return info.param; });

// Every scheme that has the choice, in a model with layers that it quantizes and others.
TEST(RestOfModelCells, RunAsPlanned)
{
    const tests::TestFolder folder;
    CellRunner runner;
    tests::SilentObserver observer;
    std::vector<std::string> schemes{"int4wo-32", "gptq-int4-32"};
    for (const core::Scheme& offered : core::offeredSchemes())
        schemes.push_back(offered.text());
    for (const std::string& text : schemes) {
        for (const std::string rest : {"fp16", "autocast"}) {
            const auto scheme = core::parseScheme(text + ":rest=" + rest);
            if (!scheme.ok())
                continue;
            SCOPED_TRACE(scheme.value().text());
            core::CellRequest request =
                tests::smallCell(folder.path(), "vitok:w64_d1_h2-w64_d2_h2/1x8x16", 1, 32);
            request.config.precision = {scheme.value().text()};
            request.config.layers = "mlp";
            const auto result = runner.run(request, observer);
            if (!result.ok()) {
                EXPECT_THAT(result.error().message, testing::HasSubstr("layer")) << "no group fits";
                continue;
            }
            EXPECT_TRUE(result.value().outputsFinite);
            EXPECT_FALSE(core::anyMismatch(result.value().executed));
            int narrow = 0;
            for (const core::ExecutedProduct& product : core::productsOf(result.value().executed))
                narrow += product.type == DType::BFloat16 ? product.ran : 0;
            EXPECT_EQ(narrow > 0, rest == "autocast") << "what is not quantized";
        }
    }
}

}  // namespace
}  // namespace qs::engine
