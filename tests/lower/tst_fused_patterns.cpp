// What the kernels of compile mode "fused" are made of, each pattern as it is and with what must
// keep it apart: the number of its operations that become one kernel.

#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/fused/fused_groups.h"
#include "core/lower/fused/without_repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

enum class Change {
    None,
    SecondReader,  // of what lies in the middle
    Mutation,      // of it, before the second half reads it
    Doubles,       // instead of 16 bits
    Columns,       // reduced or turned along the other axis
};

void PrintTo(Change change, std::ostream* out)
{
    *out << static_cast<int>(change);
}

// Builds a pattern in two halves and does in between what the change asks for.
class PatternBuilder
{
public:
    explicit PatternBuilder(Change change) : m_change(change) {}

    [[nodiscard]] DType type() const
    {
        return m_change == Change::Doubles ? DType::Float64 : DType::BFloat16;
    }
    [[nodiscard]] std::int64_t axis() const { return m_change == Change::Columns ? 0 : -1; }
    [[nodiscard]] ValueId input(const char* name) { return b.input(name, {type(), {8, 8}}); }
    void between(ValueId middle)
    {
        if (m_change == Change::SecondReader)
            b.output(middle, "middle");
        else if (m_change == Change::Mutation)
            b.addInPlace(middle, middle);
    }

    GraphBuilder b;

private:
    Change m_change;
};

void normAndQuantize(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const ValueId norm = b.layerNorm(p.input("x"), {8}, 1e-5);
    p.between(norm);
    const ValueId scale = b.scalar("div", b.maximum(b.unary("abs", norm), {p.axis()}), 127.0);
    const ValueId codes = b.clamp(b.unary("round", b.binary("div", norm, scale)), -128.0, 127.0);
    b.output(b.cast(codes, DType::Int8), "codes");
}

void rope(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const ValueId x = b.scalar("mul", p.input("x"), 0.5);
    p.between(x);
    const bool columns = p.axis() == 0;
    const std::int64_t axis = columns ? 0 : 1;
    const ValueId turned =
        b.concatenate({b.unary("neg", b.slice(x, axis, 4, 8)), b.slice(x, axis, 0, 4)}, axis);
    const ValueId sum = b.binary("add", b.binary("mul", x, p.input("cosine")),
                                 b.binary("mul", turned, p.input("sine")));
    b.output(columns ? b.mean(sum, {0}) : b.unary("abs", sum), "y");
}

void gate(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const ValueId open = b.unary("silu", p.input("gate"));
    p.between(open);
    const ValueId gated = b.binary("mul", open, p.input("up"));
    b.output(p.axis() == 0 ? b.mean(gated, {0}) : b.unary("abs", gated), "y");
}

void scaleAndResidual(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const ValueId scaled = b.binary("mul", p.input("x"), b.input("gamma", {p.type(), {8}}));
    p.between(scaled);
    const ValueId sum = b.binary("add", scaled, p.input("residual"));
    b.output(p.axis() == 0 ? b.mean(sum, {0}) : b.layerNorm(sum, {8}, 1e-5), "y");
}

struct Pattern {
    const char* name;
    void (*build)(PatternBuilder&);
};

void PrintTo(const Pattern& pattern, std::ostream* out)
{
    *out << pattern.name;
}

// Of each group, without those that only view.
std::vector<std::ptrdiff_t> computing(const Graph& graph)
{
    std::vector<std::ptrdiff_t> counts;
    const GraphUses uses(graph);
    for (const NodeGroup& group : fusedGroups(uses, NodeOrder(graph), {})) {
        counts.push_back(std::count_if(group.begin(), group.end(), [&](std::size_t node) {
            return graph.nodes[node].operation->operationClass != OperationClass::View;
        }));
    }
    return counts;
}

std::vector<std::ptrdiff_t> computing(const Pattern& pattern, Change change)
{
    PatternBuilder builder(change);
    pattern.build(builder);
    return computing(builder.b.finish().value());
}

class FusedPatterns : public testing::TestWithParam<Pattern>
{
};

TEST_P(FusedPatterns, AreOneKernelUnlessSomethingKeepsThemApart)
{
    const auto whole = computing(GetParam(), Change::None);
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_THAT(computing(GetParam(), Change::SecondReader), ElementsAre(whole.front()))
        << "the kernel gives what is read, too";
    EXPECT_THAT(computing(GetParam(), Change::Doubles), IsEmpty());
    for (const Change change : {Change::Mutation, Change::Columns}) {
        for (const std::ptrdiff_t count : computing(GetParam(), change))
            EXPECT_LT(count, whole.front()) << testing::PrintToString(change);
    }
}

INSTANTIATE_TEST_SUITE_P(All, FusedPatterns,
                         testing::Values(Pattern{"norm_quantize", normAndQuantize},
                                         Pattern{"rope", rope}, Pattern{"gate", gate},
                                         Pattern{"scale_residual", scaleAndResidual}),
                         [](const auto& each) { return each.param.name; });

TEST(FusedPatterns, NormsOfOneInputAreOneWhereTheyAreEqual)
{
    for (const auto& [epsilon, axes, norms] :
         {std::tuple(1e-5, std::vector<std::int64_t>{8}, 1),
          std::tuple(1e-6, std::vector<std::int64_t>{8}, 2),
          std::tuple(1e-5, std::vector<std::int64_t>{8, 8}, 2)}) {
        GraphBuilder b;
        const ValueId x = b.input("x", {DType::BFloat16, {8, 8}});
        b.output(b.unary("silu", b.layerNorm(x, {8}, 1e-5)), "first");
        b.output(b.unary("relu", b.layerNorm(x, axes, epsilon)), "second");
        const Graph graph = withoutRepeats(b.finish().value());
        EXPECT_EQ(std::count_if(
                      graph.nodes.begin(), graph.nodes.end(),
                      [](const Node& node) { return node.operation->name == "aten::layer_norm"; }),
                  norms);
    }
}

}  // namespace
}  // namespace qs::core
