#include "core/graph/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr DType kF32 = DType::Float32;
constexpr DType kBf16 = DType::BFloat16;

using Write = std::function<ValueId(GraphBuilder&)>;

struct ShapeCase {
    const char* name;
    Write write;
    TensorType result;
    const char* operation;
};

ValueId in(GraphBuilder& b, std::vector<std::int64_t> shape, DType dtype = kBf16)
{
    const std::string name = "i" + std::to_string(shape.size()) + std::string(core::name(dtype));
    return b.input(name, {dtype, std::move(shape)});
}

// What finish() complains about; empty if it does not.
std::string errorOf(const std::function<void(GraphBuilder&)>& write)
{
    GraphBuilder b;
    write(b);
    const auto graph = b.finish();
    return graph.ok() ? std::string() : graph.error().message;
}

class BuilderShapes : public testing::TestWithParam<ShapeCase>
{
};

// Each case writes one operation last; its result and its name in the catalogue are compared.
TEST_P(BuilderShapes, AreInferred)
{
    GraphBuilder b;
    const ValueId id = GetParam().write(b);
    EXPECT_EQ(toText(b.type(id)), toText(GetParam().result));
    const auto finished = b.finish();
    ASSERT_TRUE(finished.ok()) << finished.error().message;
    const Graph& graph = finished.value();
    ASSERT_FALSE(graph.nodes.empty());
    EXPECT_EQ(graph.nodes.back().operation->fullName(), GetParam().operation);
}

const ShapeCase kShapeCases[] = {
    {"linear",
     [](GraphBuilder& b) {
         return b.linear(in(b, {2, 3, 8}), b.weight("w", {kBf16, {5, 8}}));
     },
     {kBf16, {2, 3, 5}},
     "aten::linear"},
    {"linearBias",
     [](GraphBuilder& b) {
         return b.linear(in(b, {3, 8}), b.weight("w", {kBf16, {5, 8}}),
                         b.weight("b", {kBf16, {5}}));
     },
     {kBf16, {3, 5}},
     "aten::linear"},
    {"attention",
     [](GraphBuilder& b) {
         const ValueId q = b.input("q", {kBf16, {2, 4, 10, 8}});
         const ValueId k = b.input("k", {kBf16, {2, 4, 20, 8}});
         return b.attention(q, k, b.input("v", {kBf16, {2, 4, 20, 8}}));
     },
     {kBf16, {2, 4, 10, 8}},
     "aten::scaled_dot_product_attention"},
    {"layerNorm",
     [](GraphBuilder& b) {
         return b.layerNorm(in(b, {2, 3, 4}), {3, 4}, 1e-6);
     },
     {kBf16, {2, 3, 4}},
     "aten::layer_norm"},
    {"unary",
     [](GraphBuilder& b) {
         return b.unary("rsqrt", in(b, {2, 3}));
     },
     {kBf16, {2, 3}},
     "aten::rsqrt"},
    {"binaryBroadcasts",
     [](GraphBuilder& b) {
         return b.binary("mul", in(b, {2, 1, 4}), in(b, {3, 1}));
     },
     {kBf16, {2, 3, 4}},
     "aten::mul.Tensor"},
    {"scalar",
     [](GraphBuilder& b) { return b.scalar("div", in(b, {2}), 3.0); },
     {kBf16, {2}},
     "aten::div.Scalar"},
    {"power",
     [](GraphBuilder& b) { return b.power(in(b, {2}), 2.0); },
     {kBf16, {2}},
     "aten::pow.Tensor_Scalar"},
    {"clamp",
     [](GraphBuilder& b) { return b.clamp(in(b, {2}), -1.0, 1.0); },
     {kBf16, {2}},
     "aten::clamp"},
    {"clampMin",
     [](GraphBuilder& b) { return b.clampMin(in(b, {2}), 0.5); },
     {kBf16, {2}},
     "aten::clamp_min"},
    {"where",
     [](GraphBuilder& b) {
         const ValueId x = in(b, {2, 4});
         return b.where(b.equals(in(b, {3, 2, 1}, kF32), 0.0), x, x);
     },
     {kBf16, {3, 2, 4}},
     "aten::where.self"},
    {"equals",
     [](GraphBuilder& b) {
         return b.equals(in(b, {2, 3}), 0.0);
     },
     {DType::Bool, {2, 3}},
     "aten::eq.Scalar"},
    {"mean",
     [](GraphBuilder& b) {
         return b.mean(in(b, {2, 3, 4}), {-1, 0});
     },
     {kBf16, {1, 3, 1}},
     "aten::mean.dim"},
    {"meanOfAll",
     [](GraphBuilder& b) {
         return b.mean(in(b, {2, 3}), {});
     },
     {kBf16, {}},
     "aten::mean.dim"},
    {"absoluteMaximum",
     [](GraphBuilder& b) {
         return b.absoluteMaximum(in(b, {2, 3}), {-1});
     },
     {kBf16, {2, 1}},
     "aten::amax"},
    {"absoluteMaximumOfAll",
     [](GraphBuilder& b) {
         return b.absoluteMaximum(in(b, {2, 3}), {});
     },
     {kBf16, {}},
     "aten::amax"},
    {"cast",
     [](GraphBuilder& b) {
         return b.cast(in(b, {2, 3}), DType::Int8);
     },
     {DType::Int8, {2, 3}},
     "aten::to.dtype"},
    {"contiguous",
     [](GraphBuilder& b) {
         return b.contiguous(in(b, {2, 3}));
     },
     {kBf16, {2, 3}},
     "aten::contiguous"},
    {"concatenate",
     [](GraphBuilder& b) {
         const ValueId x = in(b, {2, 3});
         return b.concatenate({x, x, x}, -1);
     },
     {kBf16, {2, 9}},
     "aten::cat"},
    {"stack",
     [](GraphBuilder& b) {
         const ValueId x = in(b, {2, 3});
         return b.stack({x, x}, -1);
     },
     {kBf16, {2, 3, 2}},
     "aten::stack"},
    {"stackInFront",
     [](GraphBuilder& b) {
         const ValueId x = in(b, {2, 3});
         return b.stack({x, x}, 0);
     },
     {kBf16, {2, 2, 3}},
     "aten::stack"},
    {"padRows",
     [](GraphBuilder& b) {
         return b.padRows(in(b, {2, 3}), 15);
     },
     {kBf16, {17, 3}},
     "aten::constant_pad_nd"},
    {"view",
     [](GraphBuilder& b) {
         return b.view(in(b, {2, 6}), {3, 4});
     },
     {kBf16, {3, 4}},
     "aten::view"},
    {"reshape",
     [](GraphBuilder& b) {
         return b.reshape(in(b, {2, 6}), {12});
     },
     {kBf16, {12}},
     "aten::reshape"},
    {"transpose",
     [](GraphBuilder& b) {
         return b.transpose(in(b, {2, 3, 4}), 0, -1);
     },
     {kBf16, {4, 3, 2}},
     "aten::transpose.int"},
    {"matrixTranspose",
     [](GraphBuilder& b) {
         return b.matrixTranspose(in(b, {2, 3}));
     },
     {kBf16, {3, 2}},
     "aten::t"},
    {"unsqueezeLast",
     [](GraphBuilder& b) {
         return b.unsqueeze(in(b, {2, 3}), -1);
     },
     {kBf16, {2, 3, 1}},
     "aten::unsqueeze"},
    {"unsqueezeInside",
     [](GraphBuilder& b) {
         return b.unsqueeze(in(b, {2, 3}), 1);
     },
     {kBf16, {2, 1, 3}},
     "aten::unsqueeze"},
    {"flatten",
     [](GraphBuilder& b) {
         return b.flatten(in(b, {2, 3, 4, 5}), 1, 2);
     },
     {kBf16, {2, 12, 5}},
     "aten::flatten.using_ints"},
    {"flattenLast",
     [](GraphBuilder& b) {
         return b.flatten(in(b, {2, 3, 4}), -2, -1);
     },
     {kBf16, {2, 12}},
     "aten::flatten.using_ints"},
    {"select",
     [](GraphBuilder& b) {
         return b.select(in(b, {2, 3, 4}), 1, 2);
     },
     {kBf16, {2, 4}},
     "aten::select.int"},
    {"slice",
     [](GraphBuilder& b) {
         return b.slice(in(b, {5, 3}), 0, 1, 4);
     },
     {kBf16, {3, 3}},
     "aten::slice.Tensor"},
    {"unbind",
     [](GraphBuilder& b) {
         return b.unbind(in(b, {2, 3, 4}), 1)[2];
     },
     {kBf16, {2, 4}},
     "aten::unbind.int"},
    {"chunk",
     [](GraphBuilder& b) {
         return b.chunk(in(b, {2, 6}), 3, -1)[2];
     },
     {kBf16, {2, 2}},
     "aten::chunk"},
    {"integerMatmul",
     [](GraphBuilder& b) {
         return b.integerMatmul(in(b, {4, 8}, DType::Int8), b.weight("w", {DType::Int8, {8, 16}}));
     },
     {DType::Int32, {4, 16}},
     "aten::_int_mm"},
    {"scaledMatmul",
     [](GraphBuilder& b) {
         const ValueId scale = in(b, {}, kF32);
         return b.scaledMatmul(in(b, {4, 16}, DType::Float8E4M3),
                               b.weight("w", {DType::Float8E4M3, {16, 32}}), scale, scale, -1,
                               kBf16, true);
     },
     {kBf16, {4, 32}},
     "aten::_scaled_mm"},
    {"addInPlace",
     [](GraphBuilder& b) {
         return b.addInPlace(b.state("s", {kF32, {4}}), in(b, {1}, kF32));
     },
     {kF32, {4}},
     "aten::add_.Tensor"},
};

INSTANTIATE_TEST_SUITE_P(Each, BuilderShapes, testing::ValuesIn(kShapeCases),
                         [](const auto& info) { return std::string(info.param.name); });

struct PromotionCase {
    TensorType a;
    TensorType b;
    DType result;
};

// torch.result_type of two tensors.
TEST(BuilderPromotion, FollowsPyTorch)
{
    const std::vector<std::int64_t> vector{3};
    const PromotionCase cases[] = {
        {{kBf16, vector}, {kBf16, vector}, kBf16},
        {{kBf16, vector}, {kF32, vector}, kF32},
        {{DType::Float16, vector}, {kBf16, vector}, kF32},
        {{DType::Int32, vector}, {kBf16, vector}, kBf16},
        {{DType::Int32, vector}, {kF32, vector}, kF32},
        {{DType::Int32, vector}, {kF32, {}}, kF32},
        {{DType::Bool, vector}, {DType::Float16, vector}, DType::Float16},
        // A scalar tensor does not widen a tensor of its own category.
        {{kBf16, vector}, {kF32, {}}, kBf16},
        {{kBf16, {}}, {kF32, {}}, kF32},
    };
    for (const PromotionCase& each : cases) {
        GraphBuilder b;
        const ValueId left = b.input("a", each.a);
        const ValueId right = b.input("b", each.b);
        const std::string what = toText(each.a) + " with " + toText(each.b);
        EXPECT_EQ(b.type(b.binary("mul", left, right)).dtype, each.result) << what;
        EXPECT_EQ(b.type(b.binary("mul", right, left)).dtype, each.result) << what;
    }
}

TEST(Builder, ACastToTheSameTypeIsNothing)
{
    GraphBuilder b;
    const ValueId x = in(b, {2});
    EXPECT_EQ(b.cast(x, kBf16), x);
    EXPECT_TRUE(b.finish().value().nodes.empty());
}

TEST(Builder, TheSameWeightIsOneValue)
{
    GraphBuilder b;
    const ValueId first = b.weight("w", {kBf16, {2}});
    EXPECT_EQ(b.weight("w", {kBf16, {2}}), first);
    EXPECT_THAT(errorOf([](GraphBuilder& bad) {
                    (void)bad.weight("w", {kBf16, {2}});
                    (void)bad.weight("w", {kBf16, {3}});
                }),
                HasSubstr("bfloat16[3]"));
    EXPECT_THAT(errorOf([](GraphBuilder& bad) {
                    (void)bad.input("x", {kBf16, {2}});
                    (void)bad.weight("x", {kBf16, {2}});
                }),
                HasSubstr("another kind"));
    EXPECT_THAT(errorOf([](GraphBuilder& bad) {
                    (void)bad.input("x", {kBf16, {2}});
                    (void)bad.input("x", {kBf16, {2}});
                }),
                HasSubstr("twice"));
}

TEST(Builder, ConstantsCarryTheirContent)
{
    GraphBuilder b;
    const ValueId c = b.constant("c", {kF32, {2}}, {1.0, 0.5});
    b.output(b.unary("cos", c), "y");
    const Graph graph = b.finish().value();
    EXPECT_EQ(graph.value(c).kind, ValueKind::Constant);
    EXPECT_THAT(graph.constants.at(c), ElementsAre(1.0, 0.5));
    EXPECT_THAT(errorOf([](GraphBuilder& bad) {
                    (void)bad.constant("d", {kF32, {2}}, {1.0});
                }),
                HasSubstr("1 values instead of 2"));
}

TEST(Builder, KeepsInputsAndOutputsInOrder)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {kBf16, {2}});
    const ValueId y = b.input("y", {kBf16, {2}});
    const ValueId sum = b.binary("add", x, y);
    const ValueId difference = b.binary("sub", x, y);
    b.output(difference, "difference");
    b.output(sum, "sum");
    const Graph graph = b.finish().value();
    EXPECT_THAT(graph.inputs, ElementsAre(x, y));
    EXPECT_THAT(graph.outputs, ElementsAre(difference, sum));
    EXPECT_EQ(graph.findValue("sum"), sum);
    EXPECT_TRUE(b.finish().value().values.empty()) << "finish() leaves an empty builder";
}

TEST(Builder, StatesBeginAsSaidOrAsZero)
{
    GraphBuilder b;
    const ValueId said = b.state("said", {kF32, {2}}, 3.0);
    const ValueId other = b.state("other", {kF32, {2}});
    b.output(b.binary("add", said, other), "y");
    const Graph graph = b.finish().value();
    EXPECT_EQ(graph.initialValue(said), 3.0);
    EXPECT_EQ(graph.initialValue(other), 0.0);
}

TEST(Builder, AnOutputMustBeComputed)
{
    EXPECT_THAT(errorOf([](GraphBuilder& b) { b.output(in(b, {2}), "y"); }), HasSubstr("output y"));
}

TEST(Builder, WhatDoesNotFitIsTheErrorOfTheGraph)
{
    const auto [x, w] = std::pair<ValueId, ValueId>{0, 1};  // [2, 6] and [5, 8]
    const std::vector<std::pair<Write, const char*>> cases{
        {[=](GraphBuilder& b) { return b.linear(x, w); }, "as wide as the weight"},
        {[=](GraphBuilder& b) { return b.view(x, {5}); }, "number of values"},
        {[=](GraphBuilder& b) { return b.reshape(x, {5}); }, "number of values"},
        {[=](GraphBuilder& b) {
             return b.reshape(x, {-1, -1});
         },
         "number of values"},
        {[=](GraphBuilder& b) { return b.chunk(x, 4, 1)[3]; }, "4 equal parts"},
        {[=](GraphBuilder& b) { return b.select(x, 1, 6); }, "no such entry"},
        {[=](GraphBuilder& b) { return b.binary("add", x, w); }, "broadcast"},
        {[=](GraphBuilder& b) { return b.mean(x, {2}); }, "no dimension 2"},
        {[=](GraphBuilder& b) { return b.integerMatmul(x, w); }, "int8"},
        {[=](GraphBuilder& b) { return b.attention(x, x, x); }, "too few dimensions"},
        {[=](GraphBuilder& b) { return b.layerNorm(x, {5}, 1e-6); }, "normalized shape"},
        {[=](GraphBuilder& b) { return b.unary("from_file", x); }, "aten::from_file"},
        {[=](GraphBuilder& b) { return b.concatenate({}, 0); }, "nothing to join"},
        {[=](GraphBuilder& b) { return b.padRows(x, -9); }, "negative extent"},
        {[=](GraphBuilder& b) { return b.transpose(x, 0, 2); }, "no dimension 2"},
        {[=](GraphBuilder& b) { return b.unsqueeze(x, INT64_MIN); }, "no dimension"},
        {[=](GraphBuilder& b) {
             return b.call1("aten::expand", {{"self", ValueRef{x}},
                                             {"size", std::vector<std::int64_t>(2, INT64_MAX)}});
         },
         "can be expanded"},
        {[=](GraphBuilder& b) {
             return b.call1("aten::zeros",
                            {{"size", std::vector<std::int64_t>{1LL << 40, 1LL << 40}}});
         },
         "2^48"},
        {[=](GraphBuilder& b) {
             return b.call1("aten::silu", {{"self", ValueRef{77}}});
         },
         "no tensor of the graph"},
    };
    for (const auto& [write, words] : cases) {
        const std::string error = errorOf([&write = write](GraphBuilder& b) {
            (void)b.input("x", {kBf16, {2, 6}});
            (void)b.weight("w", {kBf16, {5, 8}});
            const ModuleScope scope(b, "blocks.1");
            (void)write(b);
        });
        EXPECT_THAT(error, HasSubstr(words));
        EXPECT_THAT(error, testing::StartsWith("blocks.1: "));
    }
}

// See Note [Sticky errors].
TEST(Builder, AfterAnErrorWritingGoesOnHarmlessly)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {kBf16, {2, 6}});
    EXPECT_FALSE(b.failed());
    const ValueId wrong = b.view(x, {7});
    EXPECT_TRUE(b.failed());
    EXPECT_EQ(b.unbind(wrong, 0).size(), 16U);
    EXPECT_EQ(b.chunk(wrong, 24, 0).size(), 16U);
    EXPECT_EQ(b.shape(b.select(wrong, 3, 2))[7], 1);
    b.output(b.linear(wrong, b.weight("w", {kBf16, {-1}})), "y");
    b.fail({ErrorCode::Internal, "a later one"});
    const auto graph = b.finish();
    ASSERT_FALSE(graph.ok());
    EXPECT_EQ(graph.error().code, ErrorCode::Format);
    EXPECT_THAT(graph.error().message, HasSubstr("aten::view"));
    EXPECT_TRUE(b.finish().ok()) << "the builder begins anew";
}

TEST(Builder, PadRowsPadsBelow)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Int8, {2, 8}});
    (void)b.padRows(x, 15);
    const Graph graph = b.finish().value();
    // PyTorch counts from the last dimension: left, right, above, below.
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(*graph.nodes[0].find("pad")),
                ElementsAre(0, 0, 0, 15));
}

TEST(Builder, ModuleScopesNest)
{
    GraphBuilder b;
    const ValueId x = in(b, {2});
    (void)b.unary("abs", x);
    {
        const ModuleScope block(b, "blocks.3");
        (void)b.unary("abs", x);
        {
            const ModuleScope attention(b, "attn");
            (void)b.unary("abs", x);
        }
        (void)b.unary("abs", x);
    }
    (void)b.unary("abs", x);
    std::vector<std::string> modules;
    const Graph graph = b.finish().value();
    for (const Node& node : graph.nodes)
        modules.push_back(node.module);
    EXPECT_THAT(modules, ElementsAre("", "blocks.3", "blocks.3.attn", "blocks.3", ""));
}

}  // namespace
}  // namespace qs::core
