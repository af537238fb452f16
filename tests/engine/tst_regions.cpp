// Regions taken out of the stages of whole models, against the stages as they were: eagerly, so
// that nothing has to be compiled, and therefore bit by bit.

#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/reference.h"
#include "core/lower/region_stage.h"
#include "core/model/catalogue.h"
#include "tests/engine/cpu_device.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using tests::kCpu;

struct ModelCase {
    const char* name;
    const char* model;
    core::Sizes sizes;
    const char* precision;
};

// The stages of a model with their weights on the CPU, nothing shared.
struct Stages {
    explicit Stages(const ModelCase& of)
    {
        core::Model model = core::openModel(of.model, "", 42).value().model;
        const auto recipe = core::makeRecipe(*model.family, {of.precision}, "every").value();
        program = core::lower(*model.family, {recipe, {2, of.sizes}, {}}).value();
        WeightLoader loader = WeightLoader::create(model, kCpu).value();
        const auto everything = [](auto...) { return true; };
        for (std::size_t i = 0; i < program.stages.size(); ++i) {
            weights.push_back(loader.load(i, program.stages[i].workingType, everything).value());
            EXPECT_TRUE(quantizeWeights(weights[i], program.stages[i], kCpu, everything).ok());
        }
    }

    core::Program program;
    std::vector<StageWeights> weights;
};

std::vector<at::Tensor> inputsFor(const core::Graph& graph)
{
    std::vector<at::Tensor> inputs;
    for (const core::ValueId id : graph.inputs) {
        const core::TensorType& type = graph.value(id).type;
        const bool whole = !core::isFloating(type.dtype);
        inputs.push_back(whole ? at::zeros(type.shape, toTorch(type.dtype))
                               : at::randn(type.shape).to(toTorch(type.dtype)));
    }
    return inputs;
}

// States of their own for each run; whole ones are positions behind the prompt.
NamedTensors tensorsOf(const core::Graph& graph, const NamedTensors& weights)
{
    NamedTensors tensors = weights;
    for (const core::Value& value : graph.values) {
        if (value.kind == core::ValueKind::State)
            tensors[value.name] =
                at::full(value.type.shape, core::isFloating(value.type.dtype) ? 0.0 : 5.0,
                         toTorch(value.type.dtype));
    }
    return tensors;
}

std::vector<at::Tensor> runRegions(const core::RegionStage& stage, const NamedTensors& weights,
                                   const std::vector<at::Tensor>& inputs)
{
    std::vector<Executor> programs;
    for (const core::RegionProgram& program : stage.programs) {
        auto made = Executor::create(program.graph, {}, kCpu);
        EXPECT_TRUE(made.ok()) << program.part << ": " << made.error().message;
        programs.push_back(std::move(made).value());
    }
    const Executor executor =
        Executor::create(stage.graph, tensorsOf(stage.graph, weights), kCpu).value();
    Executor::Values values = executor.begin(inputs);
    std::size_t call = 0;
    for (std::size_t i = 0; i < stage.graph.nodes.size(); ++i) {
        if (stage.graph.nodes[i].operation->name != core::kQsRegion) {
            executor.runRange(i, i + 1, values, {});
            continue;
        }
        const Executor& program = programs[stage.programOf[call++]];
        executor.replace(i, values, program.run(executor.arguments(i, values)));
    }
    return executor.outputs(values);
}

class RegionsTest : public testing::TestWithParam<ModelCase>
{
    c10::InferenceMode m_guard;
};

TEST_P(RegionsTest, ComputeWhatTheStageDoes)
{
    const Stages model(GetParam());
    const core::DeviceDescription cpu = core::describeCpu();
    std::size_t taken = 0;
    for (const char* mode :
         {"regions:rope", "regions:norm", "regions:silu_gate", "regions:mlp", "regions:block",
          "regions:attention_merge+qkv_split", "regions:rope+norm+silu_gate", "inductor-default",
          "regions:at=*.{0-1}.*", "regions:norm:at=*.1.{ffn,mlp}",
          "regions:mlp+rope+norm+silu_gate+attention_merge+qkv_split"}) {
        for (std::size_t i = 0; i < model.program.stages.size(); ++i) {
            core::StageProgram stage = model.program.stages[i];
            const NamedTensors& weights = model.weights[i].tensors;
            const core::Graph whole = core::referenceStage(stage, cpu).value().graph;
            const std::vector<at::Tensor> inputs = inputsFor(whole);
            const auto expected =
                Executor::create(whole, tensorsOf(whole, weights), kCpu).value().run(inputs);
            stage.compile = core::parseCompileMode(mode).value();
            const auto regions = core::compiledParts(stage, cpu);
            ASSERT_TRUE(regions.ok()) << regions.error().message;
            if (!regions.value())
                continue;  // one package
            taken += regions.value()->programOf.size();
            const auto outputs = runRegions(*regions.value(), weights, inputs);
            ASSERT_EQ(outputs.size(), expected.size());
            for (std::size_t output = 0; output < outputs.size(); ++output)
                EXPECT_TRUE(at::equal(outputs[output], expected[output]))
                    << mode << ", stage " << stage.name << ", output " << output;
        }
    }
    EXPECT_GT(taken, 0U) << "or nothing was tested";
}

core::Sizes generation()
{
    return {{"new_tokens", 3}, {"prompt_tokens", 5}};
}

INSTANTIATE_TEST_SUITE_P(
    Models, RegionsTest,
    testing::Values(
        ModelCase{"vitok", "vitok:w64_d2_h2/1x8x16", {{"image_size", 32}}, "bf16"},
        ModelCase{"vitok_float8", "vitok:w64_d2_h2/1x8x16", {{"image_size", 32}}, "float8dq-row"},
        ModelCase{"llama", "llama:w64_d2_h4_k2_f96_v128", generation(), "fp32"},
        ModelCase{"llama_pairs", "llama:w64_d2_h4_k2_f96_v128_pairs_bias", generation(), "int8dq"},
        ModelCase{
            "olmoearth", "olmoearth:w32_d2_h2", {{"tile_size", 16}, {"time_steps", 3}}, "bf16"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace qs::engine
