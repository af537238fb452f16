#include "core/lower/fused/fused_stage.h"

#include "core/graph/builder.h"
#include "core/graph/graph_uses.h"
#include "core/lower/fused/attention_source.h"
#include "core/lower/fused/fused_groups.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/fused/without_repeats.h"
#include "core/model/catalogue.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"
#include "tests/support/scheme_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RegionStage fusedDecoder(const char* scheme, int depth, std::int64_t side = 64)
{
    const auto variant = "w64_d" + std::to_string(depth) + "_h1/1x8x16";
    const auto family = vitok::makeFamily(vitok::parseVariant(variant).value());
    const Recipe recipe = makeRecipe(*family, {scheme}, "all").value();
    const Program program = lower(*family, {recipe, tests::imageShape(2, side), {}}).value();
    return fusedStage(program.stages[1], commonGpus().front()).value();
}

// Operations that a device is asked for: views are none.
std::int64_t launches(const RegionStage& stage)
{
    return std::count_if(stage.graph.nodes.begin(), stage.graph.nodes.end(), [](const Node& node) {
        return node.operation->operationClass != OperationClass::View;
    });
}

TEST(FusedStage, ABlockIsFourProductsAttentionAndFourKernels)
{
    for (const char* scheme : {"int8dq", "float8dq-row"}) {
        // Whatever else a scheme needs, such as a scale as one dense row, is there once a product.
        const std::int64_t block =
            launches(fusedDecoder(scheme, 3)) - launches(fusedDecoder(scheme, 2));
        const std::int64_t dense = std::string_view(scheme) == "int8dq" ? 0 : 4;
        EXPECT_EQ(block, 9 + dense) << scheme;
    }
}

// Before each product of activations one scale of all of them: the largest of rows, by the kernel
// that makes them where that is one of ours, the largest of these, and the codes.
TEST(FusedStage, ScalesOfWholeTensorsAreTwoKernelsMore)
{
    const auto blockOf = [](const char* scheme) {
        return launches(fusedDecoder(scheme, 3)) - launches(fusedDecoder(scheme, 2));
    };
    // Codes of the norm, of attention and of the gate.
    EXPECT_EQ(blockOf("float8dq-tensor"), 9 + 2 + 2 + 2);
    // Codes as before, the largest of rows beside them; the largest of these of three tensors,
    // which the same kernels write into the histories of four layers.
    EXPECT_EQ(blockOf("float8-delayed:history=1:amax=recent"), 9 + 3);
}

std::int64_t besideKernels(const RegionStage& stage, std::string_view operation)
{
    return std::count_if(stage.graph.nodes.begin(), stage.graph.nodes.end(),
                         [&](const Node& node) { return node.operation->name == operation; });
}

// Keys go into the cache in the kernel that turns them; values and tokens as they are.
TEST(FusedStage, WhatIsComputedForACacheIsWrittenByItsKernel)
{
    const Model model = openModel("llama:w32_d2_h2_f48_v64_c32", "", 42).value().model;
    const Recipe recipe = makeRecipe(*model.family, {"bf16"}, "all").value();
    const ShapePoint shape{2, {{"prompt_tokens", 8}, {"new_tokens", 2}}};
    const Program program = lower(*model.family, {recipe, shape, {}}).value();
    for (const StageProgram& stage : program.stages) {
        const RegionStage fused = fusedStage(stage, commonGpus().front()).value();
        EXPECT_EQ(besideKernels(fused, "aten::index_copy_"), 2 + 1) << stage.name;
        EXPECT_EQ(besideKernels(fused, "aten::cat"), 0) << stage.name;
    }
}

// Others of its threads would still read what one writes.
TEST(FusedStage, NoKernelWritesWhatItReads)
{
    EXPECT_EQ(besideKernels(fusedDecoder("float8-delayed:history=1:amax=recent", 2), "aten::copy_"),
              0);
    EXPECT_GE(besideKernels(fusedDecoder("float8-delayed:history=4", 2), "aten::copy_"), 2 * 4);
}

// Heads lie apart where attention leaves them: the product after it reads them merged, so that a
// kernel of ours has what follows.
TEST(FusedStage, OfFewRowsOf16BitsWhatFollowsIsInTheProduct)
{
    const auto blockOf = [](std::int64_t side) {
        return launches(fusedDecoder("bf16", 3, side)) - launches(fusedDecoder("bf16", 2, side));
    };
    EXPECT_EQ(blockOf(256), 7);
    const RegionStage decoder = fusedDecoder("bf16", 2, 256);
    for (const Node& node : decoder.graph.nodes)
        EXPECT_NE(node.operation->operationClass, OperationClass::Elementwise) << node.module;
}

std::size_t resultsOf(const RegionStage& stage, std::string_view operation)
{
    const auto program =
        std::find_if(stage.programs.begin(), stage.programs.end(), [&](const RegionProgram& each) {
            return std::any_of(each.graph.nodes.begin(), each.graph.nodes.end(),
                               [&](const Node& node) { return node.operation->name == operation; });
        });
    return program == stage.programs.end() ? 0 : program->graph.outputs.size();
}

TEST(FusedStage, WhatIsOnlyViewedIsNotCopied)
{
    EXPECT_EQ(resultsOf(fusedDecoder("bf16", 2), "aten::stack"), 2U) << "queries and keys alone";
}

// With few rows kernels of ours multiply 16 bits, too, and add what comes behind, unless they are
// so few that the library will be faster.
TEST(FusedStage, ResidualsOfFewRowsArePartOfTheProduct)
{
    const auto addsResidual = [](const RegionProgram& each) {
        const auto has = [&](std::string_view operation) {
            return std::any_of(each.graph.nodes.begin(), each.graph.nodes.end(),
                               [&](const Node& node) { return node.operation->name == operation; });
        };
        return has("aten::linear") && has("aten::add") && has("aten::mul");
    };
    for (const auto& [side, within] : {std::pair(64, true), std::pair(32, false)}) {
        // Twice a row for each patch of 8 x 8.
        const RegionStage stage = fusedDecoder("bf16", 2, side);
        EXPECT_EQ(std::any_of(stage.programs.begin(), stage.programs.end(), addsResidual), within)
            << side;
    }
}

TEST(FusedStage, MayUseTf32WhereTheStageMay)
{
    EXPECT_FALSE(fusedDecoder("fp32", 1).graph.allowTf32);
    const RegionStage stage = fusedDecoder("tf32", 1);
    EXPECT_TRUE(stage.graph.allowTf32);
    EXPECT_TRUE(stage.programs.at(0).graph.allowTf32);
}

TEST(FusedStage, EqualBlocksShareKernels)
{
    const RegionStage two = fusedDecoder("int8dq", 2);
    const RegionStage five = fusedDecoder("int8dq", 5);
    EXPECT_EQ(two.programs.size(), five.programs.size());
    EXPECT_GT(five.programOf.size(), two.programOf.size());
    EXPECT_TRUE(validate(five.graph).ok());
}

TEST(FusedStage, SaysWhatRunsInKernelsAndWhatBeside)
{
    const RegionStage stage = fusedDecoder("int8dq", 2);
    const auto note = std::find_if(stage.notes.begin(), stage.notes.end(), [](const Note& each) {
        return each.code == NoteCode::FusedKernels;
    });
    ASSERT_NE(note, stage.notes.end());
    EXPECT_EQ(std::get<double>(note->arguments.at(1)), static_cast<double>(stage.programOf.size()));
}

// Two products of the same three rows, which stand above others for the library.
RegionStage fusedPadded(std::int64_t columns, const DeviceDescription& device)
{
    GraphBuilder b;
    const ValueId x = b.unary("round", b.input("x", {DType::Float32, {3, 128}}));
    const ValueId codes = b.cast(b.clamp(x, -128.0, 127.0), DType::Int8);
    for (const std::int64_t n : {std::int64_t{64}, columns}) {
        const ValueId w = b.weight("w" + std::to_string(n), {DType::Int8, {n, 128}});
        const ValueId product = b.integerMatmul(b.padRows(codes, 14), b.matrixTranspose(w));
        const ValueId rows = b.cast(b.slice(product, 0, 0, 3), DType::Float32);
        b.output(b.scalar("mul", rows, 0.5), "y" + std::to_string(n));
    }
    StageProgram stage;
    stage.graph = b.finish().value();
    return fusedStage(stage, device).value();
}

double besideOf(const RegionStage& stage)
{
    const auto note = std::find_if(stage.notes.begin(), stage.notes.end(), [](const Note& each) {
        return each.code == NoteCode::FusedKernels;
    });
    return note != stage.notes.end() ? std::get<double>(note->arguments.at(3)) : -1.0;
}

// Their composition still has them, which the library needs.
TEST(FusedStage, KernelsReadNoRowsThatAreThereForALibrary)
{
    const RegionStage stage = fusedPadded(128, commonGpus().front());
    EXPECT_EQ(launches(stage), 3) << "codes and two products";
    EXPECT_EQ(besideOf(stage), 0.0);
    int products = 0;
    for (const RegionProgram& program : stage.programs) {
        EXPECT_TRUE(validate(program.graph).ok());
        const auto product = matrixProduct(program.graph, denseInputs(program.graph));
        if (!product)
            continue;
        ++products;
        EXPECT_EQ(product->a.rows, 3);
        EXPECT_EQ(program.graph.value(program.graph.inputs[product->a.input]).type.shape,
                  (std::vector<std::int64_t>{3, 128}));
        EXPECT_EQ(program.graph.value(program.graph.outputs.front()).type.dtype, DType::Float32)
            << "what follows is in the kernel";
    }
    EXPECT_EQ(products, 2);
}

TEST(FusedStage, ALibrarysProductHasItsRows)
{
    const auto paddings = [](const RegionStage& stage) {
        return std::count_if(stage.graph.nodes.begin(), stage.graph.nodes.end(), [](const Node& n) {
            return n.operation->name == "aten::constant_pad_nd";
        });
    };
    EXPECT_EQ(paddings(fusedPadded(60, commonGpus().front())), 1) << "columns are not whole";
    DeviceDescription turing = commonGpus().front();
    turing.computeMajor = 7;
    EXPECT_EQ(paddings(fusedPadded(128, turing)), 1);
    EXPECT_EQ(besideOf(fusedPadded(128, turing)), 3.0);
}

TEST(FusedStage, SaysThatRowsArePaddedWhereTheyAre)
{
    const auto notesOf = [](std::int64_t columns) {
        const StageProgram layer =
            tests::layerStage(parseScheme("int8dq").value(), {5, 128}, columns, true);
        return fusedStage(layer, commonGpus().front()).value().notes;
    };
    const auto padded = testing::Contains(Note{NoteCode::RowsPadded, {5.0, 17.0}});
    EXPECT_THAT(notesOf(60), padded);
    EXPECT_THAT(notesOf(128), testing::Not(padded));
}

// y = silu(x + 1) · 2, and what a test adds in between.
class FusedGroups : public testing::Test
{
protected:
    FusedGroups() : x(b.input("x", {DType::Float32, {4, 8}})) {}

    [[nodiscard]] std::vector<std::size_t> sizes()
    {
        graph = b.finish().value();
        std::vector<std::size_t> result;
        const GraphUses uses(graph);
        for (const NodeGroup& group : fusedGroups(uses, NodeOrder(graph), {}))
            result.push_back(group.size());
        return result;
    }

    GraphBuilder b;
    ValueId x;
    Graph graph;
};

TEST_F(FusedGroups, AChainIsOne)
{
    b.output(b.scalar("mul", b.unary("silu", b.scalar("add", x, 1.0)), 2.0), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(FusedGroups, AProductEndsIt)
{
    const ValueId weight = b.weight("w", {DType::Float32, {8, 8}});
    const ValueId first = b.unary("silu", b.scalar("add", x, 1.0));
    const ValueId product = b.linear(first, weight);
    b.output(b.scalar("mul", b.unary("silu", product), 2.0), "y");
    EXPECT_THAT(sizes(), ElementsAre(2U, 2U));
}

// What is read again behind a product may not wait for it.
TEST_F(FusedGroups, AResidualBelongsToItsFirstReader)
{
    const ValueId weight = b.weight("w", {DType::Float32, {8, 8}});
    const ValueId sum = b.scalar("add", b.scalar("mul", x, 3.0), 1.0);
    const ValueId product = b.linear(b.unary("silu", sum), weight);
    b.output(b.binary("add", b.scalar("mul", product, 2.0), sum), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U, 2U));
}

TEST_F(FusedGroups, WhatIsWrittenInPlaceStaysInOrder)
{
    const ValueId sum = b.scalar("add", x, 1.0);
    const ValueId twice = b.scalar("mul", sum, 2.0);
    b.addInPlace(sum, twice);
    b.output(b.unary("silu", sum), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

TEST_F(FusedGroups, WhatIsReadBeforeItIsWrittenIsRead)
{
    const ValueId state = b.state("s", {DType::Float32, {4, 8}}, 0.0);
    const ValueId next = b.scalar("mul", b.binary("add", state, x), 0.5);
    b.call1("aten::copy_", {{"self", ValueRef{state}}, {"src", ValueRef{next}}});
    b.output(b.unary("silu", b.binary("add", state, x)), "y");
    EXPECT_THAT(sizes(), ElementsAre(2U, 2U));
}

TEST_F(FusedGroups, WhatIsWidenedForOneLaterKernelIsWidenedThere)
{
    const ValueId narrow = b.cast(b.unary("silu", b.scalar("add", x, 1.0)), DType::BFloat16);
    const ValueId rows = b.maximum(b.unary("abs", narrow), {-1});
    const ValueId all = b.maximum(b.reshape(rows, {4}), {-1});
    const ValueId wide = b.cast(narrow, DType::Float32);
    b.output(b.unary("relu", b.binary("mul", wide, b.cast(all, DType::Float32))), "y");
    EXPECT_THAT(sizes(), ElementsAre(6U, 2U, 3U));
    const GraphUses uses(graph);
    for (const NodeGroup& group : fusedGroups(uses, NodeOrder(graph), {})) {
        for (const std::size_t node : group) {
            if (graph.nodes[node].outputs.front() == wide) {
                EXPECT_EQ(graph.nodes[group.back()].operation->name, "aten::relu");
            }
        }
    }
}

TEST_F(FusedGroups, RowsOfTwoLengthsAreTwoKernels)
{
    const ValueId rows = b.binary("sub", x, b.mean(x, {-1}));
    const ValueId other = b.reshape(rows, {2, 16});
    b.output(b.binary("sub", other, b.mean(other, {-1})), "y");
    const auto found = sizes();
    ASSERT_EQ(found.size(), 2U);
}

TEST_F(FusedGroups, OtherAxesAreLeft)
{
    b.output(b.binary("sub", x, b.mean(x, {0})), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

TEST_F(FusedGroups, DoublesAreLeft)
{
    const ValueId wide = b.cast(x, DType::Float64);
    b.output(b.unary("silu", b.unary("cos", wide)), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

TEST(KernelSource, IsNamedAfterWhatItDoes)
{
    const RegionStage stage = fusedDecoder("int8dq", 2);
    std::set<std::string> names;
    for (const RegionProgram& program : stage.programs) {
        const InputStrides strides = denseInputs(program.graph);
        if (const auto attention = shortAttention(program.graph, strides)) {
            names.insert(attentionSource(*attention).name);
            continue;
        }
        names.insert(matrixProduct(program.graph, strides)
                         ? productSource(program.graph, strides, Division::Exact,
                                         productChip(commonGpus().front()))
                               .value()
                               .name
                         : kernelSource(program.graph, strides, Division::Exact).value().name);
    }
    EXPECT_THAT(names, testing::IsSupersetOf(
                           {"qs_norm_round", "qs_norm_rope", "qs_round", "qs_attention_64x64"}));
    EXPECT_THAT(names, testing::Contains(testing::StartsWith("qs_product_int8_gate_")));
    EXPECT_THAT(names, testing::Contains(testing::MatchesRegex("qs_product_int8_[0-9]+x[0-9]+.*")));
}

TEST(WithoutRepeats, EqualOperationsAreOne)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4}});
    const ValueId first = b.unary("silu", x);
    const ValueId second = b.unary("silu", x);
    const ValueId third = b.scalar("mul", second, 2.0);
    const ValueId fourth = b.scalar("mul", second, 3.0);
    b.output(b.binary("add", b.binary("add", first, third), fourth), "y");
    const Graph graph = withoutRepeats(b.finish().value());
    EXPECT_EQ(graph.nodes.size(), 5U);
    EXPECT_TRUE(validate(graph).ok());
}

TEST(WithoutRepeats, WhatIsWrittenToIsNot)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4}});
    const ValueId first = b.unary("silu", x);
    const ValueId second = b.unary("silu", x);
    b.addInPlace(first, second);
    b.output(b.binary("add", first, second), "y");
    EXPECT_EQ(withoutRepeats(b.finish().value()).nodes.size(), 4U);
}

}  // namespace
}  // namespace qs::core
