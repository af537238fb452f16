#include "core/lower/fused/token_order.h"

#include "core/graph/builder.h"
#include "core/lower/arrangement.h"
#include "core/lower/fused/fused_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

// Attention of two sequences with three heads, five tokens and a width of eight.
class TokenOrder : public testing::Test
{
protected:
    TokenOrder()
        : x(b.input("x", {DType::Float32, {2, 3, 5, 8}})),
          other(b.input("other", {DType::Float32, {2, 3, 5, 8}}))
    {
    }

    // What is copied to be in the order of tokens.
    [[nodiscard]] std::ptrdiff_t reordered()
    {
        const Graph given = b.finish().value();
        graph = inTokenOrder(given).value();
        EXPECT_TRUE(validate(graph).ok());
        return std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
            return node.operation->name == "aten::contiguous";
        });
    }

    GraphBuilder b;
    ValueId x;
    ValueId other;
    Graph graph;
};

TEST_F(TokenOrder, ComputedQueriesAndKeysAreTurned)
{
    const ValueId q = b.unary("silu", x);
    const ValueId k = b.scalar("mul", other, 2.0);
    b.output(b.transpose(b.attention(q, k, other), 1, 2), "y");
    EXPECT_EQ(reordered(), 2);
}

TEST_F(TokenOrder, WhatIsOnlyViewedStays)
{
    const ValueId q = b.transpose(b.transpose(x, 1, 2), 1, 2);
    b.output(b.transpose(b.attention(q, other, other), 1, 2), "y");
    EXPECT_EQ(reordered(), 0);
}

TEST_F(TokenOrder, HeadsThatStayHeadsKeepTheirOrder)
{
    const ValueId q = b.unary("silu", x);
    b.output(b.attention(q, other, other), "y");
    b.output(b.transpose(b.attention(q, q, other), 0, 1), "z");
    EXPECT_EQ(reordered(), 0);
}

TEST_F(TokenOrder, QueriesThatAreWrittenToStay)
{
    const ValueId q = b.addInPlace(b.unary("silu", x), other);
    b.output(b.transpose(b.attention(q, other, other), 1, 2), "y");
    EXPECT_EQ(reordered(), 0);
}

TEST_F(TokenOrder, DoublesStay)
{
    const TensorType type{DType::Float64, {2, 3, 5, 8}};
    const ValueId v = b.input("v", type);
    const ValueId q = b.unary("silu", b.input("q", type));
    b.output(b.transpose(b.attention(q, v, v), 1, 2), "y");
    EXPECT_EQ(reordered(), 0);
}

// Who else reads the queries has them as they were.
TEST_F(TokenOrder, ASecondReaderHasHeads)
{
    const ValueId q = b.unary("silu", x);
    b.output(b.transpose(b.attention(q, other, other), 1, 2), "y");
    b.output(b.unary("abs", q), "magnitudes");
    EXPECT_EQ(reordered(), 1);
    const Node& reader = graph.nodes.back();
    ASSERT_EQ(reader.operation->name, "aten::abs");
    const GraphUses uses(graph);
    EXPECT_EQ(graph.nodes[*uses.producer(reader.tensor("self"))].operation->name, "aten::silu");
}

// The kernel ends with tokens; attention looks at them as heads.
TEST_F(TokenOrder, AGroupLeavesTheLastViewToAttention)
{
    const ValueId q = b.unary("silu", b.scalar("add", x, 1.0));
    b.output(b.transpose(b.attention(q, other, other), 1, 2), "y");
    ASSERT_EQ(reordered(), 1);
    const GraphUses uses(graph);
    const auto groups = fusedGroups(uses, NodeOrder(graph), {});
    ASSERT_EQ(groups.size(), 1U);
    const Node& last = graph.nodes[groups.front().back()];
    EXPECT_EQ(last.operation->name, "aten::contiguous");
    EXPECT_THAT(graph.value(last.outputs.front()).type.shape, testing::ElementsAre(2, 5, 3, 8));
}

}  // namespace
}  // namespace qs::core
