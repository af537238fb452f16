#include "core/lower/fused/row_maxima.h"

#include "core/graph/builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

// max |x| or min x of all of x.
Graph extremeOf(std::vector<std::int64_t> shape, const char* operation = "aten::amax",
                std::vector<std::int64_t> axes = {})
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, std::move(shape)});
    b.output(b.call1(operation, {{"self", ValueRef{b.unary("abs", x)}}, {"dim", std::move(axes)}}),
             "y");
    return b.finish().value();
}

std::ptrdiff_t comparisons(const Graph& graph)
{
    return std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
        return node.operation->name == "aten::amax" || node.operation->name == "aten::amin";
    });
}

std::ptrdiff_t comparisonsByRows(const Graph& graph)
{
    const Graph byRows = byRowMaxima(graph).value();
    EXPECT_EQ(byRows.value(byRows.outputs.front()).type, graph.value(graph.outputs.front()).type);
    return comparisons(byRows);
}

TEST(RowMaxima, AWholeTensorIsComparedByRowsFirst)
{
    for (const char* operation : {"aten::amax", "aten::amin"})
        EXPECT_EQ(comparisonsByRows(extremeOf({8, 16, 256}, operation)), 2);
}

TEST(RowMaxima, OneRowIsComparedAtOnce)
{
    EXPECT_EQ(comparisonsByRows(extremeOf({256})), 1);
}

// Rows, how many there are to compare behind them, and how many are left.
struct ManyRows {
    std::int64_t rows;
    std::int64_t together;
    std::int64_t left;
};

TEST(RowMaxima, ManyRowsAreComparedByRowsAgain)
{
    for (const ManyRows& many :
         {ManyRows{1 << 18, 1024, 256}, {1 << 20, 1024, 1024}, {66'000, 1000, 66}}) {
        for (const char* operation : {"aten::amax", "aten::amin"}) {
            const Graph graph = extremeOf({many.rows, 64}, operation);
            EXPECT_EQ(comparisonsByRows(graph), 3) << many.rows;
            const Graph byRows = byRowMaxima(graph).value();
            const auto reshaped = [&](const std::vector<std::int64_t>& shape) {
                return std::any_of(byRows.values.begin(), byRows.values.end(),
                                   [&](const Value& each) { return each.type.shape == shape; });
            };
            EXPECT_TRUE(reshaped({many.left, many.together})) << many.rows;
            EXPECT_TRUE(reshaped({many.left})) << many.rows;
        }
    }
}

TEST(RowMaxima, RowsThatWouldKeepOneBlockBusyAreLeft)
{
    for (const std::vector<std::int64_t>& shape :
         std::vector<std::vector<std::int64_t>>{{64, 2048, 7},
                                                {64, 2048, 1, 1},
                                                {1 << 20},
                                                {4, 1 << 20},
                                                {65'537, 64},
                                                {1 << 27, 64}}) {
        const Graph graph = extremeOf(shape);
        EXPECT_EQ(toText(byRowMaxima(graph).value()), toText(graph));
    }
}

TEST(RowMaxima, OtherComparisonsStay)
{
    const Graph graph = extremeOf({8, 256}, "aten::amax", {-1});
    EXPECT_EQ(toText(byRowMaxima(graph).value()), toText(graph));
}

}  // namespace
}  // namespace qs::core
