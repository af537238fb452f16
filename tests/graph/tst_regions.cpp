#include "core/graph/builder.h"
#include "core/graph/regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kTokens = 6;
constexpr std::int64_t kWidth = 16;
constexpr std::int64_t kHeads = 2;

std::vector<std::string> operationsOf(const Graph& graph, const GraphRegion& region)
{
    std::vector<std::string> names;
    for (const std::size_t node : region.nodes)
        names.emplace_back(graph.nodes[node].operation->name.substr(6));
    return names;
}

// A block as many models have it, with what a test wants to be different.
class BlockWriter
{
public:
    Graph write()
    {
        const ModuleScope list(m_builder, "layers.1");
        const ValueId x = m_builder.input("x", {DType::BFloat16, {1, kTokens, kWidth}});
        const ValueId cosine = m_builder.input("cosine", {DType::BFloat16, {kTokens, 4}});
        const ValueId sine = m_builder.input("sine", {DType::BFloat16, {kTokens, 4}});
        const ValueId attended = attention(norm(x, "norm"), cosine, sine);
        m_builder.output(m_builder.binary("add", x, mlp(attended)), "y");
        return m_builder.finish().value();
    }

    bool gates = true;         // the multiplication behind silu
    bool readsSquare = false;  // the square of the norm is read elsewhere
    bool epsilon = true;       // of the norm

protected:
    ValueId weight(const std::string& name, std::vector<std::int64_t> shape)
    {
        return m_builder.weight(name, {DType::BFloat16, std::move(shape)});
    }

    ValueId norm(ValueId x, const char* name)
    {
        const ModuleScope scope(m_builder, name);
        const ValueId wide = m_builder.cast(x, DType::Float32);
        const ValueId square = m_builder.power(wide, 2.0);
        const ValueId mean = m_builder.mean(square, {-1});
        const ValueId scale =
            m_builder.unary("rsqrt", epsilon ? m_builder.scalar("add", mean, 1e-6) : mean);
        if (readsSquare)
            m_builder.output(square, "square");
        const ValueId normed =
            m_builder.cast(m_builder.binary("mul", wide, scale), DType::BFloat16);
        return m_builder.binary("mul", normed, weight(std::string(name) + ".weight", {kWidth}));
    }

    ValueId turned(ValueId x, ValueId cosine, ValueId sine)
    {
        const std::vector<ValueId> halves = m_builder.chunk(x, 2, -1);
        const ValueId a = m_builder.binary("mul", halves[0], cosine);
        const ValueId b = m_builder.binary("mul", halves[1], sine);
        const ValueId c = m_builder.binary("mul", halves[1], cosine);
        const ValueId d = m_builder.binary("mul", halves[0], sine);
        return m_builder.concatenate({m_builder.binary("sub", a, b), m_builder.binary("add", c, d)},
                                     -1);
    }

    ValueId attention(ValueId x, ValueId cosine, ValueId sine)
    {
        const ModuleScope scope(m_builder, "attention");
        const ValueId qkv = m_builder.linear(x, weight("qkv.weight", {3 * kWidth, kWidth}));
        std::vector<ValueId> parts;
        for (const ValueId part : m_builder.chunk(qkv, 3, -1))
            parts.push_back(m_builder.transpose(
                m_builder.view(part, {1, kTokens, kHeads, kWidth / kHeads}), 1, 2));
        const ValueId query = turned(parts[0], cosine, sine);
        const ValueId key = turned(parts[1], cosine, sine);
        const ValueId heads = m_builder.attention(query, key, parts[2]);
        const ValueId merged =
            m_builder.reshape(m_builder.transpose(heads, 1, 2), {1, kTokens, kWidth});
        return m_builder.linear(merged, weight("out.weight", {kWidth, kWidth}));
    }

    ValueId mlp(ValueId x)
    {
        const ModuleScope scope(m_builder, "mlp");
        const ValueId gate = m_builder.linear(x, weight("gate.weight", {32, kWidth}));
        const ValueId up = m_builder.linear(x, weight("up.weight", {32, kWidth}));
        const ValueId open = m_builder.unary("silu", gate);
        const ValueId inner = gates ? m_builder.binary("mul", open, up) : open;
        if (!gates)
            m_builder.output(up, "up");
        return m_builder.linear(inner, weight("down.weight", {kWidth, 32}));
    }

    GraphBuilder m_builder;
};

TEST(Regions, OfABlockAreFoundByTheirOperations)
{
    const Graph graph = BlockWriter().write();
    const auto only = [&](RegionKind kind) {
        const std::vector<GraphRegion> found = findRegions(graph, {kind});
        EXPECT_EQ(found.size(), 1U) << kRegionKinds.of(kind);
        return found.empty() ? GraphRegion() : found.front();
    };
    EXPECT_THAT(operationsOf(graph, only(RegionKind::Norm)),
                ElementsAre("to", "pow", "mean", "add", "rsqrt", "mul", "to", "mul"));
    EXPECT_THAT(operationsOf(graph, only(RegionKind::Rope)),
                ElementsAre("chunk", "mul", "mul", "mul", "mul", "sub", "add", "cat", "chunk",
                            "mul", "mul", "mul", "mul", "sub", "add", "cat"));
    EXPECT_THAT(
        operationsOf(graph, only(RegionKind::QkvSplit)),
        ElementsAre("chunk", "view", "transpose", "view", "transpose", "view", "transpose"));
    EXPECT_THAT(operationsOf(graph, only(RegionKind::AttentionMerge)),
                ElementsAre("transpose", "reshape"));
    EXPECT_THAT(operationsOf(graph, only(RegionKind::SiluGate)), ElementsAre("silu", "mul"));
    EXPECT_THAT(operationsOf(graph, only(RegionKind::Mlp)),
                ElementsAre("linear", "linear", "silu", "mul", "linear"));
    EXPECT_EQ(only(RegionKind::Norm).module, "layers.1.norm");
    EXPECT_EQ(only(RegionKind::Block).module, "layers.1");
    EXPECT_EQ(only(RegionKind::Block).nodes.size(), graph.nodes.size());
}

TEST(Regions, OfWhichOneContainsTheOtherAreTheLargerOne)
{
    const Graph graph = BlockWriter().write();
    const auto found = findRegions(graph, {RegionKind::SiluGate, RegionKind::Mlp});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, RegionKind::Mlp);
    EXPECT_EQ(findRegions(graph, kRegionKinds.values()).size(), 1U) << "the block has all";
}

TEST(Regions, GiveWayToModulesThatAreChosen)
{
    const Graph graph = BlockWriter().write();
    const auto found =
        findRegions(graph, {RegionKind::SiluGate, RegionKind::Norm}, {"layers.1.mlp", "layers.2"});
    ASSERT_EQ(found.size(), 2U) << "the gate is a part of the module; the other one is not there";
    EXPECT_EQ(found[0].kind, RegionKind::Norm);
    EXPECT_EQ(found[1].kind, std::nullopt);
    EXPECT_EQ(found[1].module, "layers.1.mlp");
    EXPECT_THAT(operationsOf(graph, found[1]),
                ElementsAre("linear", "linear", "silu", "mul", "linear"));
    EXPECT_FALSE(liesIn("layers.10.mlp", "layers.1"));
}

TEST(Regions, StandInTheOrderOfExecution)
{
    const Graph graph = BlockWriter().write();
    std::vector<RegionKind> kinds;
    for (const GraphRegion& region :
         findRegions(graph, {RegionKind::SiluGate, RegionKind::AttentionMerge, RegionKind::Rope,
                             RegionKind::QkvSplit, RegionKind::Norm}))
        kinds.push_back(region.kind.value());
    EXPECT_THAT(kinds, ElementsAre(RegionKind::Norm, RegionKind::QkvSplit, RegionKind::Rope,
                                   RegionKind::AttentionMerge, RegionKind::SiluGate));
}

TEST(Regions, AreNotWhatOnlyLooksLikeThem)
{
    BlockWriter ungated;
    ungated.gates = false;
    EXPECT_THAT(findRegions(ungated.write(), {RegionKind::SiluGate}), IsEmpty());
    BlockWriter otherNorm;
    otherNorm.epsilon = false;
    EXPECT_THAT(findRegions(otherNorm.write(), {RegionKind::Norm}), IsEmpty());
}

TEST(Regions, MayHaveReadersOutside)
{
    BlockWriter read;
    read.readsSquare = true;
    EXPECT_EQ(findRegions(read.write(), {RegionKind::Norm}).size(), 1U);
}

// heads(x · W), which attend to each other as they are.
TEST(Regions, HaveNoRopeWhereNothingIsTurned)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", {DType::Float32, {1, kTokens, kWidth}});
    const ValueId weight = builder.weight("w", {DType::Float32, {kWidth, kWidth}});
    const ValueId heads =
        builder.transpose(builder.view(builder.linear(x, weight), {1, kTokens, kHeads, 8}), 1, 2);
    builder.output(builder.attention(heads, heads, heads), "y");
    const Graph graph = builder.finish().value();
    EXPECT_THAT(findRegions(graph, {RegionKind::Rope}), IsEmpty());
    EXPECT_EQ(findRegions(graph, {RegionKind::QkvSplit}).size(), 1U);
}

}  // namespace
}  // namespace qs::core
