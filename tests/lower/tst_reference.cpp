#include "core/lower/reference.h"
#include "core/model/vitok/vitok.h"
#include "tests/lower/golden_text.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

using testing::IsEmpty;

std::shared_ptr<const ModelFamily> small()
{
    return vitok::makeFamily(vitok::parseVariant("w64_d2_h4/1x8x16").value());
}

std::vector<LayerRow> tableOf(const ModelFamily& family, std::vector<std::string> schemes,
                              const char* layers)
{
    return layerTable(family, makeRecipe(family, schemes, layers).value());
}

// As a stage of a program on a CPU.
ReferenceStage expanded(Graph graph)
{
    StageProgram stage;
    stage.graph = std::move(graph);
    return referenceStage(stage, describeCpu()).value();
}

std::set<std::string> markedModules(const Graph& graph)
{
    std::set<std::string> modules;
    for (const Node& node : graph.nodes) {
        if (node.operation->name == kQsLinear)
            modules.insert(node.module);
    }
    return modules;
}

TEST(MarkLayers, MarksExactlyTheMatchedOnes)
{
    const auto family = small();
    for (const char* layers : {"all", "mlp -first1", "attention", "every", "regex:fc2"}) {
        const auto table = tableOf(*family, {"int8dq"}, layers);
        for (std::size_t stage = 0; stage < 2; ++stage) {
            const Graph graph =
                family->buildStage(stage, tests::imageShape(1, 32), DType::BFloat16).value();
            std::set<std::string> matched;
            for (const LayerRow& row : table) {
                if (row.stage == stage && row.matched)
                    matched.insert(row.module);
            }
            const Graph marked = markLayers(graph, stage, table);
            EXPECT_FALSE(matched.empty());
            EXPECT_EQ(markedModules(marked), matched) << layers;
            EXPECT_EQ(marked.nodes.size(), graph.nodes.size());
            EXPECT_TRUE(validate(marked).ok());
        }
    }
}

TEST(MarkLayers, CarriesTheScheme)
{
    const auto family = small();
    const Graph marked =
        markLayers(family->buildStage(1, tests::imageShape(1, 32), DType::BFloat16).value(), 1,
                   tableOf(*family, {"bf16", "float8wo"}, "mlp"));
    for (const Node& node : marked.nodes) {
        if (node.operation->name == kQsLinear)
            EXPECT_EQ(std::get<std::string>(*node.find("scheme")), "float8wo");
        else
            EXPECT_EQ(node.find("scheme"), nullptr);
    }
}

TEST(MarkLayers, LeavesPlainPrecisionsAlone)
{
    const auto family = small();
    for (const char* scheme : {"fp32", "tf32", "fp16", "bf16"}) {
        const Graph graph =
            family->buildStage(0, tests::imageShape(1, 32), DType::BFloat16).value();
        EXPECT_EQ(toText(markLayers(graph, 0, tableOf(*family, {scheme}, "every"))), toText(graph));
    }
}

TEST(ReferenceStages, LeavesNoLayerOfOurs)
{
    const auto family = small();
    for (const Scheme& scheme : offeredSchemes()) {
        const auto table = tableOf(*family, {scheme.text()}, "every");
        for (std::size_t stage = 0; stage < 2; ++stage) {
            const Graph graph =
                family->buildStage(stage, tests::imageShape(1, 32), scheme->workingType).value();
            const Graph aten = expanded(markLayers(graph, stage, table)).graph;
            EXPECT_TRUE(validate(aten).ok());
            EXPECT_THAT(markedModules(aten), IsEmpty());
            ASSERT_EQ(aten.outputs.size(), graph.outputs.size());
            EXPECT_EQ(aten.value(aten.outputs[0]).name, graph.value(graph.outputs[0]).name);
            EXPECT_EQ(aten.value(aten.outputs[0]).type, graph.value(graph.outputs[0]).type);
            EXPECT_EQ(aten.inputs.size(), graph.inputs.size());
        }
    }
}

TEST(ReferenceStages, ReadsCodesInsteadOfTheWeight)
{
    const auto family = small();
    const Graph graph =
        expanded(
            markLayers(family->buildStage(0, tests::imageShape(1, 32), DType::BFloat16).value(), 0,
                       tableOf(*family, {"int8wo"}, "all")))
            .graph;
    EXPECT_EQ(graph.findValue("encoder_blocks.0.ffn.fc1.weight"), -1);
    const ValueId codes = graph.findValue("encoder_blocks.0.ffn.fc1.weight:codes");
    ASSERT_GE(codes, 0);
    EXPECT_EQ(graph.value(codes).kind, ValueKind::Weight);
    EXPECT_EQ(toText(graph.value(codes).type), "int8[352, 64]");
    EXPECT_GE(graph.findValue("encoder_blocks.0.ffn.fc1.weight:scale"), 0);
    EXPECT_GE(graph.findValue("patch_embed.weight"), 0) << "not matched, so unchanged";
}

// A graph with every kind of value, a mutation between two reads, and one layer to rewrite.
Graph counterWithLayer()
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {4, 32}});
    const ValueId count = b.state("count", {DType::BFloat16, {1}});
    const ValueId one = b.constant("one", {DType::BFloat16, {1}}, {1.0});
    const ValueId before = b.binary("mul", x, count);
    b.addInPlace(count, one);
    const ModuleScope scope(b, "fc");
    const ValueId y = b.linear(before, b.weight("fc.weight", {DType::BFloat16, {16, 32}}));
    b.output(b.binary("mul", y, count), "y");
    return b.finish().value();
}

// The two reads of the state stand on either side of its mutation; no pass may move it.
TEST(ReferenceStages, KeepsStatesConstantsAndTheOrderOfMutations)
{
    LayerRow row;
    row.module = "fc";
    row.weight = "fc.weight";
    row.matched = true;
    row.scheme = namedScheme("int8wo");
    const Graph graph = expanded(markLayers(counterWithLayer(), 0, {row})).graph;
    EXPECT_TRUE(tests::matchesGolden("state_around_a_layer", toText(graph)));
    EXPECT_EQ(graph.value(graph.findValue("count")).kind, ValueKind::State);
    const ValueId one = graph.findValue("one");
    EXPECT_EQ(graph.value(one).kind, ValueKind::Constant);
    EXPECT_EQ(graph.constants.at(one), std::vector<double>{1.0});
}

TEST(ReferenceStages, WithoutMarksCopiesTheGraph)
{
    const Graph graph = small()->buildStage(1, tests::imageShape(2, 32), DType::BFloat16).value();
    const ReferenceStage reference = expanded(graph);
    const Graph& copy = reference.graph;
    ASSERT_EQ(copy.nodes.size(), graph.nodes.size());
    for (std::size_t i = 0; i < copy.nodes.size(); ++i) {
        EXPECT_EQ(copy.nodes[i].operation, graph.nodes[i].operation);
        EXPECT_EQ(copy.nodes[i].module, graph.nodes[i].module);
        EXPECT_EQ(copy.value(copy.nodes[i].outputs[0]).type,
                  graph.value(graph.nodes[i].outputs[0]).type);
    }
    EXPECT_THAT(reference.notes, IsEmpty());
}

TEST(NarrowAttention, RunsInBfloat16AndComesBack)
{
    GraphBuilder b;
    const TensorType type{DType::Float32, {1, 2, 8, 4}};
    const ValueId q = b.input("q", type);
    const ValueId k = b.input("k", type);
    const ModuleScope scope(b, "attn");
    const ValueId y = b.attention(q, k, b.input("v", type));
    b.output(b.unary("silu", y), "y");
    EXPECT_TRUE(tests::matchesGolden(
        "narrow_attention", toText(narrowAttention(b.finish().value(), DType::BFloat16).value())));
}

}  // namespace
}  // namespace qs::core
