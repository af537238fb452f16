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

// Of a type that kernels compute in, or of doubles all through.
ValueId widened(PatternBuilder& p, ValueId x)
{
    return p.type() == DType::Float64 ? x : p.b.cast(x, DType::Float32);
}

// As models that have no operation for it write it.
ValueId rmsNorm(PatternBuilder& p, ValueId x, double epsilon)
{
    GraphBuilder& b = p.b;
    const ValueId wide = widened(p, x);
    p.between(wide);
    const ValueId mean = b.mean(b.binary("mul", wide, wide), {p.axis()});
    const ValueId norm = b.binary("mul", wide, b.unary("rsqrt", b.scalar("add", mean, epsilon)));
    return b.cast(norm, p.type());
}

void composedRmsNorm(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const ValueId norm = rmsNorm(p, p.input("x"), 1e-6);
    b.output(b.binary("mul", norm, b.input("gamma", {p.type(), {8}})), "y");
}

// Queries and keys are norms of two thirds of a projection, rotated; values are the last.
void normAndRopeOfSplit(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const auto parts = b.chunk(b.input("qkv", {p.type(), {8, 24}}), 3, -1);
    const std::vector<std::int64_t> extents =
        p.axis() == 0 ? std::vector<std::int64_t>{8, 8} : std::vector<std::int64_t>{8};
    const ValueId cosine = p.input("cosine");
    const ValueId sine = p.input("sine");
    for (const char* name : {"q", "k"}) {
        const ValueId norm = b.layerNorm(parts[name[0] == 'q' ? 0 : 1], extents, 1e-6);
        if (name[0] == 'q')
            p.between(norm);
        const ValueId turned =
            b.concatenate({b.unary("neg", b.slice(norm, 1, 4, 8)), b.slice(norm, 1, 0, 4)}, 1);
        b.output(b.binary("add", b.binary("mul", norm, cosine), b.binary("mul", turned, sine)),
                 name);
    }
    b.output(b.contiguous(parts[2]), "v");
}

void geluGate(PatternBuilder& p)
{
    GraphBuilder& b = p.b;
    const auto halves = b.chunk(b.input("x", {p.type(), {8, 16}}), 2, -1);
    const ValueId open = gelu(b, halves[0], "tanh");
    p.between(open);
    const ValueId gated = b.binary("mul", open, halves[1]);
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
                                         Pattern{"rms_norm", composedRmsNorm},
                                         Pattern{"norm_rope_split", normAndRopeOfSplit},
                                         Pattern{"gelu_gate", geluGate},
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

// The cast and the mean are shared, what the epsilon is added to is not.
TEST(FusedPatterns, ComposedNormsOfOneInputAreOneWhereTheirEpsilonIs)
{
    const auto roots = [](double epsilon) {
        PatternBuilder p(Change::None);
        const ValueId x = p.input("x");
        p.b.output(p.b.unary("silu", rmsNorm(p, x, 1e-6)), "first");
        p.b.output(p.b.unary("relu", rmsNorm(p, x, epsilon)), "second");
        const Graph graph = withoutRepeats(p.b.finish().value());
        return std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
            return node.operation->name == "aten::rsqrt";
        });
    };
    EXPECT_EQ(roots(1e-6), 1);
    EXPECT_EQ(roots(1e-5), 2);
}

}  // namespace
}  // namespace qs::core
