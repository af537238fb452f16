#include "core/lower/reference.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
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
    ShapePoint shape = tests::imageShape(1, 64);
    const char* variant = "w64_d2_h4/1x8x16";
};

Program lowered(const Request& request)
{
    const auto family = vitok::makeFamily(vitok::parseVariant(request.variant).value());
    const auto program = lower(
        *family, {makeRecipe(*family, request.schemes, request.layers).value(), request.shape, {}});
    QS_ASSERT(program.ok());
    return program.value();
}

// The program of a device in ATen operations alone.
struct Reference {
    std::vector<Graph> stages;
    std::vector<Note> notes;
};

Reference reference(const Request& request, const DeviceDescription& device = h200())
{
    const Program program = lowered(request);
    const std::vector<ReferenceStage> stages = referenceStages(program, device).value();
    Reference reference;
    for (const ReferenceStage& stage : stages)
        reference.stages.push_back(stage.graph);
    reference.notes = notesOf(stages);
    return reference;
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
    EXPECT_FALSE(anyCompiled(program));
    EXPECT_THAT(program.stages[0].preparations, IsEmpty());
    EXPECT_EQ(countOf(program.stages[0].graph, "aten::linear"), 10);
}

TEST(Lowering, WorkingTypesFollowTheSchemes)
{
    for (const Scheme& scheme : offeredSchemes()) {
        const Program program = lowered({.schemes = {scheme.text()}});
        for (const StageProgram& stage : program.stages) {
            EXPECT_EQ(stage.workingType, scheme->workingType) << scheme.text();
            const Graph& graph = stage.graph;
            EXPECT_EQ(graph.value(graph.inputs[0]).type.dtype, scheme->workingType);
            EXPECT_EQ(graph.value(graph.outputs[0]).type.dtype, scheme->workingType);
            EXPECT_TRUE(validate(graph).ok());
        }
    }
}

TEST(Lowering, PreparesEachQuantizedWeightOnce)
{
    for (const Scheme& scheme : offeredSchemes()) {
        const Program program = lowered({.schemes = {scheme.text()}, .layers = "mlp"});
        for (std::size_t i = 0; i < program.stages.size(); ++i) {
            const StageProgram& stage = program.stages[i];
            const Graph graph = referenceStage(stage, h200()).value().graph;
            const auto quantized = std::count_if(
                program.layers.begin(), program.layers.end(),
                [&](const LayerRow& row) { return row.stage == i && row.quantized(); });
            const bool solved = !scheme->solver.empty();
            EXPECT_EQ(std::ssize(stage.preparations), solved ? 0 : quantized) << scheme.text();
            std::set<std::string> prepared;
            for (const Graph& preparation : stage.preparations) {
                EXPECT_TRUE(validate(preparation).ok());
                for (const ValueId id : preparation.outputs) {
                    const Value& made = preparation.value(id);
                    EXPECT_TRUE(prepared.insert(made.name).second) << made.name;
                    // A state begins as what bears its name and the word behind it.
                    const auto state = made.name.rfind(":initial");
                    const ValueId read = graph.findValue(made.name.substr(0, state));
                    ASSERT_GE(read, 0) << made.name << " is prepared but never read";
                    EXPECT_EQ(graph.value(read).type, made.type);
                }
            }
        }
    }
}

TEST(Lowering, EveryWeightIsStoredOrPrepared)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    for (const Scheme& scheme : offeredSchemes()) {
        const Program program = lowered({.schemes = {scheme.text()}});
        for (std::size_t i = 0; i < 2; ++i) {
            std::set<std::string> known;
            for (const WeightSpec& weight : family->stages()[i].weights)
                known.insert(weight.name);
            for (const Graph& preparation : program.stages[i].preparations)
                for (const ValueId id : preparation.outputs)
                    known.insert(preparation.value(id).name);
            for (const LayerRow& row : program.layers) {
                if (row.stage != i || !row.quantized() || row.scheme->solver.empty())
                    continue;
                for (const StoredPart& part :
                     row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures))
                    known.insert(storedName(row.weight, part));
            }
            const Graph graph = referenceStage(program.stages[i], h200()).value().graph;
            for (const Value& value : graph.values) {
                EXPECT_TRUE(value.kind != ValueKind::Weight || known.contains(value.name))
                    << value.name;
            }
        }
    }
}

TEST(Lowering, AllowsTf32WhereItWasAskedFor)
{
    const Reference program = reference({.schemes = {"tf32", "fp32"}});
    EXPECT_TRUE(program.stages[0].allowTf32);
    EXPECT_FALSE(program.stages[1].allowTf32) << "the flag of one stage must not reach the other";
}

TEST(Lowering, AutocastNarrowsMatchedLayersAndAttention)
{
    const Graph graph = reference({.schemes = {"bf16-autocast"}}).stages[1];
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

TEST(Lowering, TheRestOfTheModelMayHaveAnotherType)
{
    const Program half = lowered({.schemes = {"int8dq:rest=fp16"}});
    EXPECT_EQ(half.stages[1].workingType, DType::Float16);
    EXPECT_EQ(countOf(half.stages[1].graph, "qs::linear"), 8);
    const Program program = lowered({.schemes = {"int8dq:rest=autocast"}});
    EXPECT_EQ(program.stages[1].workingType, DType::Float32);
    EXPECT_EQ(countOf(program.stages[1].graph, "qs::linear"), 10)
        << "layers that are not quantized are composed as well";
    EXPECT_EQ(program.stages[1].preparations.size(), 8U);
    const Graph graph = referenceStage(program.stages[1], h200()).value().graph;
    EXPECT_EQ(countOf(graph, "aten::_int_mm"), 8);
    for (const Node& node : graph.nodes) {
        const DType result = graph.value(node.outputs[0]).type.dtype;
        const OperationClass kind = node.operation->operationClass;
        if (kind == OperationClass::Attention || node.operation->name == "aten::linear") {
            EXPECT_EQ(result, DType::BFloat16);
        }
    }
}

TEST(Lowering, StagesMayDiffer)
{
    const Program program = lowered({.schemes = {"fp32", "int8dq"}});
    EXPECT_EQ(program.stages[0].workingType, DType::Float32);
    EXPECT_EQ(program.stages[1].workingType, DType::BFloat16);
    EXPECT_EQ(countOf(program.stages[0].graph, "qs::linear"), 0);
    EXPECT_EQ(countOf(program.stages[1].graph, "qs::linear"), 8)
        << "layers keep their scheme until a runner expands them";
    EXPECT_EQ(countOf(referenceStage(program.stages[1], h200()).value().graph, "aten::_int_mm"), 8);
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
    const Request small{.schemes = {"int8dq"}, .shape = tests::imageShape(1, 32)};
    const Reference padded = reference(small);
    EXPECT_THAT(padded.notes, ElementsAre(Note{NoteCode::RowsPadded, {16.0, 17.0}}))
        << "once, not once per layer";
    EXPECT_EQ(countOf(padded.stages[0], "aten::constant_pad_nd"), 8);
    EXPECT_EQ(countOf(padded.stages[0], "aten::slice.Tensor"), 8);
    EXPECT_THAT(reference({.schemes = {"int8dq"}, .shape = tests::imageShape(2, 32)}).notes,
                IsEmpty());
    const Reference onCpu = reference(small, cpu());
    EXPECT_THAT(onCpu.notes, ElementsAre(Note{NoteCode::UnfusedInt8}));
    EXPECT_EQ(countOf(onCpu.stages[0], "aten::constant_pad_nd"), 0);
}

TEST(Lowering, TakesTheReferencePathOfFloat8OnACpu)
{
    const Reference onCpu = reference({.schemes = {"float8dq-row"}}, cpu());
    EXPECT_THAT(onCpu.notes, ElementsAre(Note{NoteCode::ReferenceFloat8}));
    EXPECT_EQ(countOf(onCpu.stages[1], "aten::_scaled_mm"), 0);
    const Reference onGpu = reference({.schemes = {"float8dq-row"}});
    EXPECT_THAT(onGpu.notes, IsEmpty());
    EXPECT_EQ(countOf(onGpu.stages[1], "aten::_scaled_mm"), 8);
}

// What a device executes is what the scheme's row says it does, layer by layer.
TEST(Lowering, ProductsAreThoseOfTheSchemes)
{
    for (const DeviceDescription& device : {h200(), cpu()}) {
        for (const Scheme& scheme : offeredSchemes()) {
            SCOPED_TRACE(scheme.text() + " " + device.id);
            // Wide enough for every group.
            const Program program =
                lowered({.schemes = {scheme.text()}, .variant = "w256_d1_h4/1x8x16"});
            for (std::size_t i = 0; i < program.stages.size(); ++i) {
                std::map<Product, int> expected;
                for (const LayerRow& row : program.layers) {
                    if (row.stage == i)
                        ++expected[productOf(row.scheme, row.kind, device)];
                }
                const Graph graph = referenceStage(program.stages[i], device).value().graph;
                std::map<Product, int> written;
                for (const Node& node : graph.nodes) {
                    const OperationClass kind = node.operation->operationClass;
                    if (kind == OperationClass::Linear || kind == OperationClass::Matmul)
                        ++written[{std::string(node.operation->name),
                                   graph.value(node.outputs[0]).type.dtype}];
                }
                EXPECT_EQ(written, expected);
            }
        }
    }
}

TEST(Lowering, StagesMayRunInModesOfTheirOwn)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const auto program =
        lower(*family, {makeRecipe(*family, {"bf16"}, "all").value(), tests::imageShape(1, 64),
                        parseCompileModes("none/cuda-graph", 2).value()});
    ASSERT_TRUE(program.ok());
    EXPECT_EQ(program.value().stages[0].compile, eagerMode());
    EXPECT_EQ(program.value().stages[1].compile.text(), "cuda-graph");
    EXPECT_TRUE(anyCompiled(program.value()));
}

TEST(Lowering, RefusesShapesOfTheFamily)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const Recipe recipe = makeRecipe(*family, {"bf16"}, "all").value();
    for (const ShapePoint& shape :
         {tests::imageShape(1, 60), tests::imageShape(0, 64), tests::imageShape(1, 32768)}) {
        const auto program = lower(*family, {recipe, shape, {}});
        ASSERT_FALSE(program.ok());
        EXPECT_EQ(program.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(program.error().message, family->checkShape(shape).error().message);
    }
    EXPECT_DEATH((void)lower(*family, {Recipe{recipe[0]}, tests::imageShape(1, 64), {}}),
                 "recipe.size");
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
