// Stages in compile mode "fused" against the same stages operation by operation; and each generated
// kernel, compiled for this machine, against the composition that defines it.

#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "core/kernels/generated_kernel.h"
#include "core/lower/fused/attention_source.h"
#include "core/lower/fused/channel_order.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/reference.h"
#include "core/model/catalogue.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/host_kernels.h"
#include "tests/support/convolution_block.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/matmul.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randperm.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace qs::engine {
namespace {

using tests::kCpu;

struct FusedCase {
    const char* name;
    const char* model;
    core::Sizes sizes;
    const char* precision;
};

void PrintTo(const FusedCase& each, std::ostream* out)
{
    *out << each.name;
}

// Larger than a row of one warp, not a multiple of eight, and rows in which threads keep values.
const FusedCase kCases[] = {
    {"vitok_bf16", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "bf16"},
    {"vitok_int8dq", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "int8dq"},
    {"vitok_narrow", "vitok:w16_d2_h1/1x8x4", {{"image_size", 24}}, "int8dq"},
    {"vitok_float8", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "float8dq-row"},
    {"vitok_tensor", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "float8dq-tensor"},
    {"vitok_delayed",
     "vitok:w64_d2_h1/1x8x16",
     {{"image_size", 64}},
     "float8-delayed:history=1:amax=recent"},
    {"vitok_history", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "float8-delayed"},
    {"vitok_fp16", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "fp16"},
    {"vitok_autocast", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "bf16-autocast"},
    {"vitok_int4", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "int4wo-32"},
    {"vitok_reduced", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "int8dq:rule=reduced"},
    {"llama_int8dq",
     "llama:w32_d2_h2_f48_v64_c32_pairs",
     {{"prompt_tokens", 8}, {"new_tokens", 2}},
     "int8dq"},
    {"llama_halves",
     "llama:w32_d2_h2_f48_v64_c32",
     {{"prompt_tokens", 8}, {"new_tokens", 2}},
     "bf16"},
    {"olmoearth",
     "olmoearth:nano",
     {{"tile_size", 16}, {"patch_size", 4}, {"time_steps", 2}},
     "bf16"},
    {"resnet", "resnet:18/10", {{"image_size", 32}}, "bf16"},
};

core::Program programOf(const FusedCase& of)
{
    const core::Model model = core::openModel(of.model, "", 42).value().model;
    const auto recipe = core::makeRecipe(*model.family, {of.precision}, "all").value();
    return core::lower(*model.family, {recipe, {2, of.sizes}, {}}).value();
}

at::Tensor random(const core::TensorType& type)
{
    const auto torch = toTorch(type.dtype);
    if (core::isFloating(type.dtype))
        return at::randn(type.shape).to(torch);
    if (type.dtype == core::DType::Int64)  // of places, each once
        return at::randperm(type.elementCount()).reshape(type.shape);
    return at::randint(type.dtype == core::DType::Int32 ? -5000 : 0,
                       type.dtype == core::DType::Int32 ? 5000 : 2, type.shape)
        .to(torch);
}

std::vector<at::Tensor> randomInputs(const core::Graph& graph)
{
    std::vector<at::Tensor> inputs;
    for (const core::ValueId id : graph.inputs)
        inputs.push_back(random(graph.value(id).type));
    return inputs;
}

// What is written into memory changes an input.
std::vector<at::Tensor> copied(const std::vector<at::Tensor>& inputs)
{
    std::vector<at::Tensor> copies;
    for (const at::Tensor& input : inputs)
        copies.push_back(input.clone());
    return copies;
}

// Whether the processor's kernels of PyTorch add up in another order, or use other functions of
// the library of mathematics.
bool isExact(const core::Graph& group)
{
    static const std::set<std::string_view> kOthers{
        "aten::sum",  "aten::mean", "aten::layer_norm", "aten::rms_norm", "aten::exp",
        "aten::silu", "aten::gelu", "aten::sigmoid",    "aten::tanh",     "aten::erf",
        "aten::sin",  "aten::cos",  "aten::rsqrt",      "aten::linear"};
    return std::none_of(group.nodes.begin(), group.nodes.end(), [](const core::Node& node) {
        return kOthers.count(node.operation->name) > 0;
    });
}

double relativeDistance(const at::Tensor& a, const at::Tensor& b)
{
    const at::Tensor x = a.to(at::kDouble);
    const at::Tensor y = b.to(at::kDouble);
    return (x - y).norm().item<double>() / std::max(1e-12, y.norm().item<double>());
}

// The processor's own product takes no scales of rows.
std::vector<at::Tensor> composed(const core::Graph& group, const std::vector<at::Tensor>& inputs)
{
    const auto isScaled = [](const core::Node& node) {
        return node.operation->name == "aten::_scaled_mm";
    };
    const auto product = std::find_if(group.nodes.begin(), group.nodes.end(), isScaled);
    if (product == group.nodes.end())
        return Executor::create(group, {}, kCpu).value().run(inputs);
    core::Graph graph = group;
    core::Node& node = graph.nodes[std::size_t(product - group.nodes.begin())];
    std::vector<at::Tensor> given = inputs;
    const auto input = [&](core::ValueId id) {
        const auto found = std::find(group.inputs.begin(), group.inputs.end(), id);
        return inputs[std::size_t(found - group.inputs.begin())].to(at::kFloat);
    };
    // The operands are the first two inputs, the second as it lies.
    at::Tensor sums = at::matmul(inputs[0].to(at::kFloat), inputs[1].to(at::kFloat).t());
    sums = sums * input(node.tensor("scale_a")) * input(node.tensor("scale_b"));
    given.push_back(sums.to(at::kBFloat16));
    graph.inputs.push_back(node.outputs.front());
    graph.values[std::size_t(node.outputs.front())].kind = core::ValueKind::Input;
    graph.nodes.erase(graph.nodes.begin() + (product - group.nodes.begin()));
    return Executor::create(graph, {}, kCpu).value().run(given);
}

class FusedStages : public testing::TestWithParam<FusedCase>
{
protected:
    FusedStages() : m_program(programOf(GetParam())) {}

    [[nodiscard]] std::vector<core::RegionStage> fused() const
    {
        std::vector<core::RegionStage> stages;
        for (const core::StageProgram& stage : m_program.stages)
            stages.push_back(core::fusedStage(stage, core::commonGpus().front()).value());
        return stages;
    }

    c10::InferenceMode m_inference;
    core::Program m_program;
    tests::TestFolder m_folder;
};

TEST_P(FusedStages, KernelsComputeWhatTheirOperationsDo)
{
    std::vector<const core::Graph*> groups;
    std::vector<core::InputStrides> strides;
    const auto stages = fused();
    for (const core::RegionStage& stage : stages) {
        for (const core::RegionProgram& program : stage.programs) {
            const core::InputStrides dense = core::denseInputs(program.graph);
            if (core::shortAttention(program.graph, dense))
                continue;  // its kernel is made of instructions of a GPU alone
            groups.push_back(&program.graph);
            strides.push_back(dense);
        }
    }
    ASSERT_FALSE(groups.empty());
    const tests::HostKernels kernels(groups, strides, m_folder.path());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto inputs = randomInputs(*groups[i]);
        const auto expected = composed(*groups[i], copied(inputs));
        const auto found = kernels.run(i, copied(inputs));
        for (std::size_t k = 0; k < found.size(); ++k) {
            const double distance = relativeDistance(found[k], expected[k]);
            EXPECT_LE(distance, isExact(*groups[i]) ? 0.0 : 0.01)
                << core::toText(*groups[i]) << "output " << k;
        }
    }
}

// The group without one of its multiplications by a scale; nothing if it has no more of them.
std::optional<core::Graph> withoutScale(const core::Graph& group, std::size_t number)
{
    for (const core::Node& node : group.nodes) {
        const core::ValueId scale = node.tensor("other");
        if (node.operation->name != "aten::mul" || scale < 0 ||
            group.value(scale).type.elementCount() ==
                group.value(node.outputs.front()).type.elementCount() ||
            number-- > 0)
            continue;
        core::Graph damaged = group;
        for (core::Node& reader : damaged.nodes) {
            for (core::NamedArgument& argument : reader.arguments) {
                if (auto* read = std::get_if<core::ValueRef>(&argument.value);
                    read != nullptr && read->id == node.outputs.front())
                    read->id = node.tensor("self");
            }
        }
        std::erase_if(damaged.nodes,
                      [&](const core::Node& each) { return each.outputs == node.outputs; });
        return damaged;
    }
    return std::nullopt;
}

TEST(FusedProduct, AKernelWithoutOneOfItsScalesIsNoticed)
{
    const c10::InferenceMode inference;
    const core::Program program =
        programOf({"", "vitok:w64_d2_h1/1x8x16", {{"image_size", 64}}, "int8dq"});
    const core::RegionStage stage =
        core::fusedStage(program.stages[1], core::commonGpus().front()).value();
    const auto product = std::find_if(
        stage.programs.begin(), stage.programs.end(), [](const core::RegionProgram& each) {
            return std::any_of(
                each.graph.nodes.begin(), each.graph.nodes.end(),
                [](const core::Node& node) { return node.operation->name == "aten::_int_mm"; });
        });
    ASSERT_NE(product, stage.programs.end());
    std::vector<core::Graph> damaged;
    while (auto one = withoutScale(product->graph, damaged.size()))
        damaged.push_back(std::move(*one));
    ASSERT_GE(damaged.size(), 2U) << "that of rows and that of columns";
    std::vector<const core::Graph*> groups{&product->graph};
    for (const core::Graph& each : damaged)
        groups.push_back(&each);
    const tests::TestFolder folder;
    const tests::HostKernels kernels(groups, {groups.size(), core::denseInputs(product->graph)},
                                     folder.path());
    const auto inputs = randomInputs(product->graph);
    const at::Tensor expected = composed(product->graph, inputs).front();
    EXPECT_LE(relativeDistance(kernels.run(0, inputs).front(), expected), 0.01);
    for (std::size_t i = 1; i < groups.size(); ++i)
        EXPECT_GT(relativeDistance(kernels.run(i, inputs).front(), expected), 0.1) << i;
}

// Models have kernels in common: each text is compiled once.
class FusedKernels : public FusedStages
{
protected:
    static void SetUpTestSuite() { s_kept = std::make_unique<tests::TestFolder>(); }
    static void TearDownTestSuite() { s_kept.reset(); }

    static std::unique_ptr<tests::TestFolder> s_kept;
};

std::unique_ptr<tests::TestFolder> FusedKernels::s_kept;

// No device is needed to compile for one.
TEST_P(FusedKernels, CompileForGpus)
{
    for (const core::RegionStage& stage : fused()) {
        for (const core::RegionProgram& program : stage.programs) {
            const auto strides = core::denseInputs(program.graph);
            constexpr auto kDivision = core::Division::ByReciprocal;
            constexpr core::ProductChip kHopperChip{core::ProductUnits::Hopper, true, 132};
            std::string text;
            if (const auto attention = core::shortAttention(program.graph, strides))
                text = core::attentionSource(*attention).text;
            else if (core::matrixProduct(program.graph, strides))
                text = core::productSource(program.graph, strides, kDivision, kHopperChip)
                           .value()
                           .text;
            else
                text = core::kernelSource(program.graph, strides, kDivision).value().text;
            const auto hopper = core::compileKernel(core::cudaPrelude() + text, 9, 0,
                                                    core::KernelCache(s_kept->path()));
            EXPECT_TRUE(hopper.ok()) << hopper.error().message << text;
        }
    }
}

// Of each kind of operation some.
const FusedCase kCompiledCases[] = {kCases[1], kCases[3],  kCases[4], kCases[5],
                                    kCases[9], kCases[11], kCases[13]};

INSTANTIATE_TEST_SUITE_P(Models, FusedKernels, testing::ValuesIn(kCompiledCases),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Models, FusedStages, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

// The processor adds the bias before it rounds.
TEST(ChannelOrder, ChangesNoMoreThanTheRoundingOfABias)
{
    const c10::InferenceMode inference;
    for (const std::int64_t groups : {1, 8}) {
        const core::Graph graph = tests::convolutionBlock(core::DType::BFloat16, groups);
        const core::Graph ordered = core::inChannelOrder(graph, core::commonGpus().front()).value();
        const auto inputs = randomInputs(graph);
        const auto expected = Executor::create(graph, {}, kCpu).value().run(inputs);
        const auto found = Executor::create(ordered, {}, kCpu).value().run(inputs);
        EXPECT_LE(relativeDistance(found[0], expected[0]), 0.01) << groups;
    }
}

}  // namespace
}  // namespace qs::engine
