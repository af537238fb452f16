#include "core/graph/builder.h"
#include "core/graph/cost.h"
#include "core/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;

// A family outside ViTok: one stage that counts its own runs in a state. A KV cache is the same
// thing with a bigger tensor.
class CounterFamily final : public ModelFamily
{
public:
    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }
    Status checkShape(const ShapePoint& point) const override
    {
        if (point.batch < 1)
            return Error{ErrorCode::InvalidArgument, "a batch needs at least one row"};
        return {};
    }
    Result<Graph> buildStage(std::size_t, const ShapePoint& point, DType compute) const override
    {
        GraphBuilder b;
        const ModuleScope scope(b, "counter");
        const ValueId x = b.input("x", {compute, {point.batch, 4}});
        const ValueId count = b.state("count", {DType::Float32, {1}}, 3.0);
        const ValueId one = b.constant("one", {DType::Float32, {1}}, {1.0});
        const ValueId before = b.binary("mul", x, count);
        const ValueId after = b.addInPlace(count, one);
        b.output(before, "before");
        b.output(b.binary("mul", x, after), "after");
        return b.finish();
    }
    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

private:
    std::vector<StageInfo> m_stages{{"step", {{"gain", {4}, {Initialiser::Kind::Constant, 1.0}}}}};
    Workload m_workload{.inputs = {{.name = "x"}}, .outputs = {{"after"}}, .judged = "after"};
};

TEST(States, AreValuesOfTheirOwnKind)
{
    const CounterFamily family;
    const Graph graph = family.buildStage(0, {}, DType::Float32).value();
    ASSERT_TRUE(validate(graph).ok());
    const ValueId count = graph.findValue("count");
    ASSERT_GE(count, 0);
    EXPECT_EQ(graph.value(count).kind, ValueKind::State);
    EXPECT_EQ(toText(graph.value(count).type), "float32[1]");
    EXPECT_THAT(graph.inputs, ElementsAre(graph.findValue("x"))) << "a state is no input";
    EXPECT_EQ(graph.initialValue(count), 3.0);
}

TEST(States, TheMutationKeepsItsPlace)
{
    const Graph graph = CounterFamily().buildStage(0, {}, DType::Float32).value();
    EXPECT_EQ(toText(graph), "input %x: float32[1, 4]\n"
                             "%before: float32[1, 4] = aten::mul.Tensor(self=%x, other=%count)  "
                             "# counter\n"
                             "%v4: float32[1] = aten::add_.Tensor(self=%count, other=%one)  "
                             "# counter\n"
                             "%after: float32[1, 4] = aten::mul.Tensor(self=%x, other=%v4)  "
                             "# counter\n"
                             "output %before\n"
                             "output %after\n");
    const Node& add = graph.nodes[1];
    EXPECT_EQ(add.operation->mutates, "self");
    EXPECT_EQ(add.tensor(add.operation->mutates), graph.findValue("count"));
}

TEST(States, AreNoParameters)
{
    const CounterFamily family;
    const Cost cost = costOf(family.buildStage(0, {}, DType::Float32).value());
    EXPECT_EQ(cost.parameters, 0);
    EXPECT_EQ(cost.weightBytes, 0.0);
    Model model;
    model.family = std::make_shared<CounterFamily>();
    EXPECT_EQ(model.parameterCount(), 4) << "the weight alone";
}

}  // namespace
}  // namespace qs::core
