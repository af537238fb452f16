#include "core/graph/builder.h"
#include "core/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = silu(linear(x)) with a residual, in two modules.
Graph smallGraph()
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {2, 8}});
    const ModuleScope block(b, "blocks.0");
    ValueId y = -1;
    {
        const ModuleScope fc(b, "fc");
        y = b.linear(x, b.weight("blocks.0.fc.weight", {DType::BFloat16, {8, 8}}),
                     b.weight("blocks.0.fc.bias", {DType::BFloat16, {8}}));
    }
    b.output(b.binary("add", x, b.unary("silu", y)), "y");
    return b.finish().value();
}

TEST(TensorTypes, CountElementsAndBytes)
{
    const TensorType type{DType::BFloat16, {2, 3, 4}};
    EXPECT_EQ(type.elementCount(), 24);
    EXPECT_EQ(type.bytes(), 48);
    EXPECT_EQ((TensorType{DType::Float32, {}}.elementCount()), 1) << "a scalar has one element";
    EXPECT_EQ((TensorType{DType::Float32, {5, 0}}.bytes()), 0);
    EXPECT_EQ(toText(type), "bfloat16[2, 3, 4]");
    EXPECT_EQ(toText(TensorType{DType::Float32, {}}), "float32[]");
}

TEST(Nodes, AreReadByArgumentName)
{
    const Graph graph = smallGraph();
    const Node& linear = graph.nodes.front();
    EXPECT_EQ(linear.tensor("input"), graph.findValue("x"));
    EXPECT_EQ(linear.tensor("bias"), graph.findValue("blocks.0.fc.bias"));
    EXPECT_EQ(linear.tensor("nothing"), -1);
    EXPECT_EQ(linear.find("nothing"), nullptr);
    EXPECT_THAT(linear.inputs(),
                ElementsAre(graph.findValue("x"), graph.findValue("blocks.0.fc.weight"),
                            graph.findValue("blocks.0.fc.bias")));
}

TEST(Nodes, AnArgumentThatIsNoTensorHasNoValue)
{
    Node node{findOperation("aten::cat"),
              {{"tensors", ValueRefs{{3}, {4}}}, {"dim", std::int64_t{1}}},
              {5},
              ""};
    EXPECT_EQ(node.tensor("dim"), -1);
    EXPECT_EQ(node.tensor("tensors"), -1) << "a list is no single tensor";
    EXPECT_THAT(node.inputs(), ElementsAre(3, 4));
}

TEST(Graphs, FindValuesByName)
{
    const Graph graph = smallGraph();
    EXPECT_EQ(graph.value(graph.findValue("y")).kind, ValueKind::Intermediate);
    EXPECT_EQ(graph.findValue("z"), -1);
    EXPECT_DEATH((void)graph.value(-1), "id >= 0");
    EXPECT_DEATH((void)graph.value(1000), "values.size");
}

TEST(GraphText, ListsInputsOperationsAndOutputs)
{
    EXPECT_EQ(toText(smallGraph()),
              "input %x: bfloat16[2, 8]\n"
              "%v3: bfloat16[2, 8] = aten::linear(input=%x, weight=%blocks.0.fc.weight, "
              "bias=%blocks.0.fc.bias)  # blocks.0.fc\n"
              "%v4: bfloat16[2, 8] = aten::silu(self=%v3)  # blocks.0\n"
              "%y: bfloat16[2, 8] = aten::add.Tensor(self=%x, other=%v4)  # blocks.0\n"
              "output %y\n");
}

TEST(GraphText, WritesEveryKindOfArgument)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 4}});
    const std::vector<ValueId> halves = b.chunk(x, 2, 0);
    const ValueId joined = b.concatenate(halves, -1);
    const ValueId mean = b.mean(joined, {0, 1});
    const ValueId half = b.cast(b.scalar("mul", mean, 0.5), DType::Float16);
    b.output(b.call1("aten::contiguous", {{"self", ValueRef{half}},
                                          {"memory_format", std::string("contiguous")},
                                          {"none", std::monostate{}}}),
             "y");
    const std::string text = toText(b.finish().value());
    EXPECT_THAT(text, HasSubstr("%v1: float32[2, 4], %v2: float32[2, 4] = "
                                "aten::chunk(self=%x, chunks=2, dim=0)"));
    EXPECT_THAT(text, HasSubstr("aten::cat(tensors=[%v1, %v2], dim=-1)"));
    EXPECT_THAT(text, HasSubstr("aten::mean.dim(self=%v3, dim=[0, 1], keepdim=True)"));
    EXPECT_THAT(text, HasSubstr("aten::mul.Scalar(self=%v4, other=0.5)"));
    EXPECT_THAT(text, HasSubstr("dtype=float16)"));
    EXPECT_THAT(text, HasSubstr("memory_format=\"contiguous\", none=None)  # \n"));
}

TEST(GraphValidation, AcceptsWhatTheBuilderWrites)
{
    EXPECT_TRUE(validate(smallGraph()).ok());
    EXPECT_TRUE(validate(Graph{}).ok());
}

TEST(GraphValidation, RefusesUseBeforeDefinition)
{
    Graph graph = smallGraph();
    std::swap(graph.nodes[0], graph.nodes[1]);
    const Status status = validate(graph);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::Format);
    EXPECT_EQ(status.error().message,
              "aten::silu in module blocks.0 uses a value before it is defined");
}

TEST(GraphValidation, RefusesValuesThatDoNotExist)
{
    for (const ValueId id : {-1, 999}) {
        Graph graph = smallGraph();
        graph.nodes[1].arguments[0].value = ValueRef{id};
        ASSERT_FALSE(validate(graph).ok()) << id;
        EXPECT_THAT(validate(graph).error().message, HasSubstr("before it is defined"));
        graph = smallGraph();
        graph.nodes[1].outputs = {id};
        EXPECT_THAT(validate(graph).error().message, HasSubstr("defines a value twice"));
        graph = smallGraph();
        graph.outputs = {id};
        EXPECT_THAT(validate(graph).error().message, HasSubstr("never computed"));
    }
}

TEST(GraphValidation, RefusesADoubleDefinition)
{
    Graph graph = smallGraph();
    graph.nodes[1].outputs = graph.nodes[0].outputs;
    ASSERT_FALSE(validate(graph).ok());
    EXPECT_EQ(validate(graph).error().message,
              "aten::silu in module blocks.0 defines a value twice");
}

TEST(GraphValidation, RefusesToOverwriteAnInputOrAWeight)
{
    for (const char* name : {"x", "blocks.0.fc.weight"}) {
        Graph graph = smallGraph();
        graph.nodes[1].outputs = {graph.findValue(name)};
        ASSERT_FALSE(validate(graph).ok()) << name;
        EXPECT_THAT(validate(graph).error().message, HasSubstr("defines a value twice"));
    }
}

TEST(GraphValidation, RefusesOperationsOutsideTheCatalogue)
{
    Graph graph = smallGraph();
    graph.nodes[2].operation = nullptr;
    EXPECT_EQ(validate(graph).error().code, ErrorCode::Unsupported);
    EXPECT_EQ(validate(graph).error().message,
              "module blocks.0 uses an operation outside the catalogue");
    // An entry that looks like one of the catalogue but is not.
    const Operation stranger{"aten::from_file", "", OperationClass::Copy, {}, {}, nullptr};
    graph.nodes[2].operation = &stranger;
    EXPECT_EQ(validate(graph).error().code, ErrorCode::Unsupported);
    const Operation copyOfSilu = *findOperation("aten::silu");
    graph.nodes[2].operation = &copyOfSilu;
    EXPECT_EQ(validate(graph).error().code, ErrorCode::Unsupported);
}

TEST(GraphValidation, RefusesAnOutputThatIsNeverComputed)
{
    Graph graph = smallGraph();
    graph.nodes.pop_back();
    ASSERT_FALSE(validate(graph).ok());
    EXPECT_EQ(validate(graph).error().message, "an output of the graph is never computed");
}

}  // namespace
}  // namespace qs::core
