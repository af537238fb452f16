#include "core/lower/program.h"
#include "core/model/vitok/vitok.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const DeviceDescription& h200()
{
    return commonGpus().front();
}

DeviceDescription cpu()
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "CPU";
    return device;
}

struct Request {
    std::vector<std::string> schemes;
    const char* layers = "all";
    ShapePoint shape{1, 64};
    DeviceDescription device = h200();
};

Program lowered(const Request& request)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const auto program =
        lower(*family, {makeRecipe(*family, request.schemes, request.layers).value(), request.shape,
                        request.device});
    QS_ASSERT(program.ok());
    return program.value();
}

std::int64_t countOf(const Graph& graph, std::string_view operation)
{
    return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                         [&](const Node& node) { return node.operation->fullName() == operation; });
}

TEST(Lowering, GivesOneProgramPerStage)
{
    const Program program = lowered({.schemes = {"bf16"}});
    ASSERT_EQ(program.stages.size(), 2U);
    EXPECT_EQ(program.stages[0].name, "encoder");
    EXPECT_EQ(program.stages[1].name, "decoder");
    EXPECT_EQ(program.layers.size(), 20U);
    EXPECT_THAT(program.notes, IsEmpty());
    EXPECT_THAT(program.stages[0].preparations, IsEmpty());
    EXPECT_EQ(countOf(program.stages[0].graph, "aten::linear"), 10);
}

TEST(Lowering, WorkingTypesFollowTheSchemes)
{
    for (const Scheme scheme : allSchemes()) {
        const Program program = lowered({.schemes = {std::string(name(scheme))}});
        for (const StageProgram& stage : program.stages) {
            EXPECT_EQ(stage.workingType, workingType(scheme)) << name(scheme);
            const Graph& graph = stage.graph;
            EXPECT_EQ(graph.value(graph.inputs[0]).type.dtype, workingType(scheme));
            EXPECT_EQ(graph.value(graph.outputs[0]).type.dtype, workingType(scheme));
            EXPECT_TRUE(validate(graph).ok());
        }
    }
}

TEST(Lowering, PreparesEachQuantizedWeightOnce)
{
    for (const Scheme scheme : allSchemes()) {
        const Program program = lowered({.schemes = {std::string(name(scheme))}, .layers = "mlp"});
        for (const StageProgram& stage : program.stages) {
            EXPECT_EQ(stage.preparations.size(), quantizesWeights(scheme) ? 4U : 0U)
                << name(scheme);
            std::set<std::string> prepared;
            for (const Graph& preparation : stage.preparations) {
                EXPECT_TRUE(validate(preparation).ok());
                for (const ValueId id : preparation.outputs) {
                    const Value& made = preparation.value(id);
                    EXPECT_TRUE(prepared.insert(made.name).second) << made.name;
                    const ValueId read = stage.graph.findValue(made.name);
                    ASSERT_GE(read, 0) << made.name << " is prepared but never read";
                    EXPECT_EQ(stage.graph.value(read).type, made.type);
                }
            }
        }
    }
}

TEST(Lowering, EveryWeightIsStoredOrPrepared)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    for (const Scheme scheme : allSchemes()) {
        const Program program = lowered({.schemes = {std::string(name(scheme))}});
        for (std::size_t i = 0; i < 2; ++i) {
            std::set<std::string> known;
            for (const WeightSpec& weight : family->stages()[i].weights)
                known.insert(weight.name);
            for (const Graph& preparation : program.stages[i].preparations)
                for (const ValueId id : preparation.outputs)
                    known.insert(preparation.value(id).name);
            for (const Value& value : program.stages[i].graph.values) {
                EXPECT_TRUE(value.kind != ValueKind::Weight || known.contains(value.name))
                    << value.name;
            }
        }
    }
}

TEST(Lowering, AllowsTf32WhereItWasAskedFor)
{
    const Program program = lowered({.schemes = {"tf32", "fp32"}});
    for (const Node& node : program.stages[0].graph.nodes)
        EXPECT_TRUE(node.allowTf32);
    for (const Node& node : program.stages[1].graph.nodes)
        EXPECT_FALSE(node.allowTf32) << "the flag of one stage must not reach the other";
}

TEST(Lowering, AutocastNarrowsMatchedLayersAndAttention)
{
    const Program program = lowered({.schemes = {"bf16-autocast"}});
    const Graph& graph = program.stages[1].graph;
    int narrow = 0;
    int wide = 0;
    for (const Node& node : graph.nodes) {
        const DType result = graph.value(node.outputs[0]).type.dtype;
        if (node.operation->operationClass == OperationClass::Attention) {
            EXPECT_EQ(result, DType::BFloat16);
        }
        if (node.operation->operationClass == OperationClass::Linear)
            ++(result == DType::BFloat16 ? narrow : wide);
    }
    EXPECT_EQ(narrow, 8);
    EXPECT_EQ(wide, 2) << "embedding and head";
    const Graph plain = lowered({.schemes = {"fp32"}}).stages[1].graph;
    for (const Node& node : plain.nodes)
        EXPECT_EQ(plain.value(node.outputs[0]).type.dtype == DType::BFloat16, false);
}

TEST(Lowering, StagesMayDiffer)
{
    const Program program = lowered({.schemes = {"fp32", "int8dq"}});
    EXPECT_EQ(program.stages[0].workingType, DType::Float32);
    EXPECT_EQ(program.stages[1].workingType, DType::BFloat16);
    EXPECT_EQ(countOf(program.stages[0].graph, "aten::_int_mm"), 0);
    EXPECT_EQ(countOf(program.stages[1].graph, "aten::_int_mm"), 8);
    EXPECT_THAT(program.stages[0].preparations, IsEmpty());
    EXPECT_EQ(program.stages[1].preparations.size(), 8U);
}

TEST(Lowering, ALaterStageTakesWhatTheEarlierLeavesAndCastsIt)
{
    const Program program = lowered({.schemes = {"fp32", "int8dq"}});
    const Graph& encoder = program.stages[0].graph;
    const Graph& decoder = program.stages[1].graph;
    const std::string latent = encoder.value(encoder.outputs[0]).name;
    const Value& arriving = decoder.value(decoder.findValue(latent));
    EXPECT_EQ(arriving.kind, ValueKind::Input);
    EXPECT_EQ(arriving.type, encoder.value(encoder.outputs[0]).type);
    EXPECT_EQ(decoder.nodes.front().operation->fullName(), "aten::to.dtype");
    EXPECT_EQ(decoder.value(decoder.nodes.front().outputs[0]).type.dtype, DType::BFloat16);
    EXPECT_TRUE(validate(decoder).ok());
    const Program same = lowered({.schemes = {"bf16", "int8dq"}});
    EXPECT_EQ(same.stages[1].graph.value(same.stages[1].graph.findValue(latent)).type.dtype,
              DType::BFloat16);
    EXPECT_EQ(same.stages[1].graph.nodes.size() + 1, decoder.nodes.size())
        << "nothing to cast where the types agree";
}

TEST(Lowering, PadsSmallProductsOnCudaAlone)
{
    // 32 px in patches of 8: 16 tokens, one row too few.
    const Program padded = lowered({.schemes = {"int8dq"}, .shape = {1, 32}});
    EXPECT_THAT(padded.notes, ElementsAre("int8 products padded from 16 to 17 rows"))
        << "once, not once per layer";
    EXPECT_EQ(countOf(padded.stages[0].graph, "aten::constant_pad_nd"), 8);
    EXPECT_EQ(countOf(padded.stages[0].graph, "aten::slice.Tensor"), 8);
    EXPECT_THAT(lowered({.schemes = {"int8dq"}, .shape = {2, 32}}).notes, IsEmpty());
    const Program onCpu = lowered({.schemes = {"int8dq"}, .shape = {1, 32}, .device = cpu()});
    EXPECT_THAT(onCpu.notes, IsEmpty());
    EXPECT_EQ(countOf(onCpu.stages[0].graph, "aten::constant_pad_nd"), 0);
}

TEST(Lowering, TakesTheReferencePathOfFloat8OnACpu)
{
    const Program onCpu = lowered({.schemes = {"float8dq-row"}, .device = cpu()});
    EXPECT_THAT(onCpu.notes, ElementsAre(HasSubstr("reference path")));
    EXPECT_EQ(countOf(onCpu.stages[1].graph, "aten::_scaled_mm"), 0);
    const Program onGpu = lowered({.schemes = {"float8dq-row"}});
    EXPECT_THAT(onGpu.notes, IsEmpty());
    EXPECT_EQ(countOf(onGpu.stages[1].graph, "aten::_scaled_mm"), 8);
}

TEST(Lowering, RefusesShapesOfTheFamily)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const Recipe recipe = makeRecipe(*family, {"bf16"}, "all").value();
    for (const ShapePoint shape : {ShapePoint{1, 60}, ShapePoint{0, 64}, ShapePoint{1, 32768}}) {
        const auto program = lower(*family, {recipe, shape, h200()});
        ASSERT_FALSE(program.ok());
        EXPECT_EQ(program.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(program.error().message, family->checkShape(shape).error().message);
    }
    EXPECT_DEATH((void)lower(*family, {Recipe(1), {1, 64}, h200()}), "recipe.size");
}

TEST(CompileModes, NamesReadBack)
{
    for (const CompileMode mode : {CompileMode::None, CompileMode::CudaGraph})
        EXPECT_EQ(parseCompileMode(name(mode)).value(), mode);
    EXPECT_EQ(name(CompileMode::CudaGraph), "cuda-graph");
    const auto unknown = parseCompileMode("eager");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().message, "\"eager\" is no compile mode; known are none, cuda-graph");
}

TEST(AttentionKernels, NamesReadBack)
{
    using enum AttentionKernel;
    std::set<std::string_view> names;
    for (const AttentionKernel kernel : {Auto, Math, Flash, Efficient, Cudnn}) {
        EXPECT_EQ(parseAttentionKernel(name(kernel)).value(), kernel);
        names.insert(name(kernel));
    }
    EXPECT_EQ(names.size(), 5U);
    EXPECT_THAT(names, Contains("flash"));
    EXPECT_FALSE(parseAttentionKernel("sdpa").ok());
    EXPECT_FALSE(parseAttentionKernel("").ok());
}

}  // namespace
}  // namespace qs::core
