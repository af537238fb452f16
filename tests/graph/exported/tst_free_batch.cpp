#include "core/graph/exported/free_batch.h"

#include <gmock/gmock.h>

#include <functional>

namespace {

using namespace qs::core;
using namespace qs::core::exported;
using testing::HasSubstr;

TensorDescription typeOf(const std::vector<std::int64_t>& sizes)
{
    TensorDescription type;
    type.scalarType = 7;
    for (const std::int64_t size : sizes)
        type.sizes.emplace_back(size);
    return type;
}

// x [batch, 6] -> view of `shape`.
ExportedProgram viewAs(std::int64_t batch, const std::vector<std::int64_t>& shape)
{
    ExportedProgram program;
    program.inputs.push_back({InputRole::User, "x", {}, true});
    program.graph.inputs = {"x"};
    program.graph.tensors["x"] = typeOf({batch, 6});
    program.graph.tensors["y"] = typeOf(shape);
    ProgramNode node;
    node.target = "torch.ops.aten.view.default";
    node.module = "head";
    node.arguments = {{"self", TensorName{"x"}}, {"size", shape}};
    node.outputs = {"y"};
    program.graph.nodes.push_back(node);
    program.graph.outputs.emplace_back(TensorName{"y"});
    program.outputs.push_back({true, TensorName{"y"}});
    return program;
}

using Shape = std::function<std::vector<std::int64_t>(std::int64_t)>;

Result<ExportedProgram> join(const Shape& shape, const std::vector<std::int64_t>& batches)
{
    std::vector<BatchRecording> recordings;
    for (const std::int64_t batch : batches)
        recordings.push_back({batch, viewAs(batch, shape(batch))});
    return withFreeBatch(recordings);
}

TEST(FreeBatch, NumbersThatDifferAreComputedFromTheBatch)
{
    const auto joined = join(
        [](std::int64_t b) {
            return std::vector<std::int64_t>{2 * b, 3};
        },
        {2, 3, 5, 1});
    ASSERT_TRUE(joined.ok()) << joined.error().message;
    const ExportedProgram& program = joined.value();
    EXPECT_EQ(program.ranges.at("s0").lowest, 1);
    EXPECT_EQ(program.graph.tensors.at("x").sizes[0].symbol(), "s0");
    EXPECT_EQ(program.graph.tensors.at("y").sizes[0].evaluate({{"s0", 7}}).value(), 14);
    ASSERT_EQ(program.graph.nodes.size(), 3U);
    EXPECT_EQ(program.graph.nodes[0].target, "torch.ops.aten.sym_size.int");
    EXPECT_EQ(program.graph.nodes[1].target, "_operator.mul");
    const auto* sizes = std::get_if<std::vector<Whole>>(program.graph.nodes[2].find("size"));
    ASSERT_NE(sizes, nullptr);
    EXPECT_EQ(std::get<NumberName>((*sizes)[0]).name, program.graph.nodes[1].outputs[0]);
    EXPECT_EQ(std::get<std::int64_t>((*sizes)[1]), 3);
}

TEST(FreeBatch, WhatIsKeptForABatchFixesIt)
{
    std::vector<BatchRecording> recordings;
    for (const std::int64_t batch : {2, 3, 5}) {
        ExportedProgram program = viewAs(batch, {batch, 6});
        program.inputs.push_back({InputRole::Buffer, "b", "cache", true});
        program.graph.inputs.push_back("b");
        program.graph.tensors["b"] = typeOf({batch, 4});
        recordings.push_back({batch, program});
    }
    const auto joined = withFreeBatch(recordings);
    ASSERT_FALSE(joined.ok());
    EXPECT_EQ(joined.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(joined.error().message, HasSubstr("cache"));
}

TEST(FreeBatch, AConstantMayBeAdded)
{
    const auto joined = join(
        [](std::int64_t b) {
            return std::vector<std::int64_t>{b + 1, 3};
        },
        {2, 3, 5});
    ASSERT_TRUE(joined.ok()) << joined.error().message;
    EXPECT_EQ(joined.value().graph.nodes[1].target, "_operator.add");
    EXPECT_EQ(joined.value().graph.tensors.at("y").sizes[0].text(),
              "Add(Symbol('s0', positive=True, integer=True), Integer(1))");
}

TEST(FreeBatch, ASampleAloneMayBehaveDifferently)
{
    const auto joined = join(
        [](std::int64_t b) {
            return b == 1 ? std::vector<std::int64_t>{6} : std::vector<std::int64_t>{b, 6};
        },
        {2, 3, 5, 1});
    ASSERT_TRUE(joined.ok()) << joined.error().message;
    EXPECT_EQ(joined.value().ranges.at("s0").lowest, 2);
}

TEST(FreeBatch, WhatIsNoLineKeepsItsBatch)
{
    for (const Shape& shape :
         {Shape([](std::int64_t b) {
              return std::vector<std::int64_t>{b * b, 6};
          }),
          Shape([](std::int64_t b) {
              return std::vector<std::int64_t>{b / 2, 12};
          }),
          Shape([](std::int64_t b) {
              return b == 3 ? std::vector<std::int64_t>{18} : std::vector<std::int64_t>{b, 6};
          })}) {
        const auto joined = join(shape, {2, 3, 5});
        ASSERT_FALSE(joined.ok());
        EXPECT_EQ(joined.error().code, ErrorCode::Unsupported);
    }
}

TEST(FreeBatch, AnotherOperationIsNamedWithItsModule)
{
    std::vector<BatchRecording> recordings;
    for (const std::int64_t batch : {2, 3, 5})
        recordings.push_back({batch, viewAs(batch, {batch, 6})});
    recordings[2].program.graph.nodes[0].target = "torch.ops.aten.reshape.default";
    const auto joined = withFreeBatch(recordings);
    ASSERT_FALSE(joined.ok());
    EXPECT_THAT(joined.error().message, HasSubstr("view.default in head"));
}

TEST(FreeBatch, NumbersThatAreNotWholeMustNotDepend)
{
    std::vector<BatchRecording> recordings;
    for (const std::int64_t batch : {2, 3, 5}) {
        recordings.push_back({batch, viewAs(batch, {batch, 6})});
        recordings.back().program.graph.nodes[0].arguments.push_back(
            {"scale", 1.0 / static_cast<double>(batch)});
    }
    EXPECT_FALSE(withFreeBatch(recordings).ok());
}

}  // namespace
