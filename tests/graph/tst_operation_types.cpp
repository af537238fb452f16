// The type rules of the catalogue against PyTorch (tests/golden/operations), and against arguments
// that nobody would write.

#include "core/graph/call_reader.h"
#include "core/graph/cost.h"
#include "tests/support/golden_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace qs::core {
namespace {

using testing::Contains;

const Node& callOf(const tests::GoldenCall& call)
{
    return call.graph.nodes.back();
}

TEST(OperationTypes, AreThoseOfPyTorch)
{
    for (const tests::GoldenCall& call : tests::goldenCalls()) {
        ASSERT_EQ(call.graph.outputs.size(), call.results.size()) << toText(call.graph);
        for (std::size_t i = 0; i < call.results.size(); ++i)
            EXPECT_EQ(toText(call.graph.value(call.graph.outputs[i]).type),
                      toText(call.results[i].type))
                << toText(call.graph);
    }
}

TEST(OperationTypes, AreKnownForEveryOperationAndTheSchemasAgree)
{
    std::set<std::string> known;
    for (const tests::GoldenSchema& schema : tests::goldenSchemas()) {
        known.insert(schema.operation);
        const Operation* operation = findOperation(schema.operation);
        ASSERT_NE(operation, nullptr) << schema.operation;
        EXPECT_EQ(operation->mutates, schema.mutates) << schema.operation;
        EXPECT_EQ(operation->aliases, schema.aliases) << schema.operation;
        EXPECT_EQ(operation->returnsList, schema.returnsList) << schema.operation;
    }
    for (const Operation& operation : operationCatalogue()) {
        if (operation.name.starts_with("aten::")) {
            EXPECT_TRUE(known.contains(operation.fullName()))
                << operation.fullName() << " lacks golden cases";
        }
    }
    for (const tests::GoldenCall& call : tests::goldenCalls()) {
        const auto schemas = tests::goldenSchemas();
        const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const auto& each) {
            return each.operation == call.operation;
        });
        for (const NamedArgument& argument : callOf(call).arguments)
            EXPECT_THAT(schema->arguments, Contains(argument.name)) << call.operation;
    }
}

// oneDNN's weights lie as no graph of one call can say: tests/engine/tst_static_oracle.cpp runs
// them.
TEST(OperationTypes, ConvolutionsOfInt8TakeCodesAndAWeightOfThem)
{
    const auto convolved = [](DType image, DType weight, std::int64_t groups) {
        GraphBuilder b;
        const ValueId x = b.input("x", {image, {2, 6, 9, 7}});
        const ValueId raw = b.input("w", {weight, {4, 3, 3, 3}});
        const ValueId laidOut = b.call1(kInt8Layout, {{"weight", ValueRef{raw}}});
        EXPECT_EQ(b.failed(), weight != DType::Int8);
        const ValueId y = b.call1("onednn::qconv_pointwise.tensor",
                                  {{"qx", ValueRef{x}},
                                   {"qw", ValueRef{laidOut}},
                                   {"stride", std::vector<std::int64_t>{2, 1}},
                                   {"padding", std::vector<std::int64_t>{1, 0}},
                                   {"dilation", std::vector<std::int64_t>{1, 2}},
                                   {"groups", groups},
                                   {"output_dtype", DType::Float32}});
        b.output(y, "y");
        const auto graph = b.finish();
        return graph.ok() ? toText(graph.value().value(graph.value().outputs[0]).type)
                          : std::string();
    };
    EXPECT_EQ(convolved(DType::UInt8, DType::Int8, 2), "float32[2, 4, 5, 3]");
    EXPECT_EQ(convolved(DType::UInt8, DType::Int8, 3), "");
    EXPECT_EQ(convolved(DType::Int8, DType::Int8, 2), "");
    EXPECT_EQ(convolved(DType::UInt8, DType::Float32, 2), "");
}

TEST(OperationTypes, EveryCallHasACost)
{
    for (const tests::GoldenCall& call : tests::goldenCalls()) {
        const Cost cost = costOf(call.graph);
        const OperationClass kind = callOf(call).operation->operationClass;
        const bool hasValues = std::any_of(
            call.results.begin(), call.results.end(),
            [](const tests::GoldenTensor& result) { return result.type.elementCount() > 0; });
        EXPECT_EQ(cost.activationBytes > 0.0, hasValues && kind != OperationClass::View)
            << toText(call.graph);
        EXPECT_EQ(cost.flops() > 0.0, multiplies(*callOf(call).operation)) << toText(call.graph);
    }
}

// What a hostile file may say instead of an argument.
Argument strange(std::mt19937& random)
{
    static const std::vector<Argument> kinds{
        std::monostate(),
        ValueRef{-1},
        ValueRef{0},
        ValueRef{1000},
        ValueRefs{},
        ValueRefs{{0}, {-1}, {1000}},
        true,
        std::int64_t{-1},
        std::int64_t{0},
        std::int64_t{3},
        INT64_MAX,
        INT64_MIN,
        1.5,
        std::string("tanh"),
        std::vector<std::int64_t>{},
        std::vector<std::int64_t>{0},
        std::vector<std::int64_t>{-1, -1},
        std::vector<std::int64_t>{INT64_MAX, INT64_MAX, 2},
        std::vector<std::int64_t>{INT64_MIN, 0},
        std::vector<std::int64_t>(40, 1),
        DType::Bool,
        DType::Int8,
    };
    return kinds[std::uniform_int_distribution<std::size_t>(0, kinds.size() - 1)(random)];
}

// Each call with some of its arguments replaced, dropped, or its tensors in other shapes: an answer
// or an error, and no result that no tensor can have.
TEST(OperationTypes, SurviveEveryArgument)
{
    std::mt19937 random(7);
    const auto pick = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    const std::vector<Shape> shapes{{},           {0},         {1}, {7}, {0, 3}, {1 << 20, 1 << 20},
                                    {2, 3, 4, 5}, Shape(16, 1)};
    std::size_t refused = 0;
    std::size_t accepted = 0;
    for (const tests::GoldenCall& call : tests::goldenCalls()) {
        for (int attempt = 0; attempt < 60; ++attempt) {
            Graph graph = call.graph;
            std::vector<NamedArgument> arguments = callOf(call).arguments;
            if (!graph.inputs.empty() && attempt % 2 == 0)
                graph.values[pick(graph.inputs.size())].type = {static_cast<DType>(pick(9)),
                                                                shapes[pick(shapes.size())]};
            if (!arguments.empty() && attempt % 3 != 0) {
                const std::size_t at = pick(arguments.size());
                if (attempt % 5 == 0)
                    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(at));
                else
                    arguments[at].value = strange(random);
            }
            const auto types = inferTypes(*callOf(call).operation, arguments, graph);
            ++(types.ok() ? accepted : refused);
            if (!types.ok()) {
                EXPECT_FALSE(types.error().message.empty());
                continue;
            }
            for (const TensorType& type : types.value())
                EXPECT_TRUE(checkShape(type.shape).ok()) << toText(type);
        }
    }
    EXPECT_GT(refused, 5000U);
    EXPECT_GT(accepted, 5000U);
}

}  // namespace
}  // namespace qs::core
