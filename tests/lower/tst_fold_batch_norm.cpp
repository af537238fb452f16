#include "core/lower/fold_batch_norm.h"

#include "core/graph/layer_operations.h"
#include "core/lower/program.h"
#include "core/model/catalogue.h"
#include "core/quant/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Wish {
    const char* scheme = "int8-static";
    bool readTwice = false;   // the result of the convolution
    bool shareShift = false;  // both batch norms add the same bias
    bool bias = false;
};

// Two convolutions, each with a batch norm behind it.
Graph twoConvolutions(const Wish& wish)
{
    GraphBuilder b;
    const auto weight = [&](const std::string& name, std::vector<std::int64_t> shape) {
        return b.weight(name, {DType::BFloat16, std::move(shape)});
    };
    ValueId x = b.input("x", {DType::BFloat16, {1, 4, 8, 8}});
    std::vector<LayerRow> rows;
    for (const std::string name : {"a", "b"}) {
        const ModuleScope scope(b, name);
        const ValueId bias = wish.bias ? weight(name + ".bias", {4}) : -1;
        const ValueId y =
            conv2d(b, x, weight(name + ".weight", {4, 4, 3, 3}), bias, {.padding = 1});
        const std::string shift = wish.shareShift ? "shift" : name + ".norm.bias";
        x = batchNorm(b, y,
                      {weight(name + ".norm.weight", {4}), weight(shift, {4}),
                       weight(name + ".norm.mean", {4}), weight(name + ".norm.var", {4})},
                      1e-5);
        if (wish.readTwice)
            x = b.binary("add", x, y);
        LayerRow row;
        row.module = name;
        row.weight = name + ".weight";
        row.kind = LayerKind::Convolution;
        row.weightShape = {4, 4, 3, 3};
        row.outFeatures = 4;
        row.inFeatures = 36;
        row.matched = true;
        row.scheme = namedScheme(wish.scheme);
        rows.push_back(std::move(row));
    }
    b.output(x, "y");
    return markLayers(b.finish().value(), 0, rows);
}

std::vector<std::string> operations(const Graph& graph)
{
    std::vector<std::string> names;
    for (const Node& node : graph.nodes)
        names.emplace_back(node.operation->name);
    return names;
}

TEST(FoldBatchNorms, TakesThemIntoTheConvolutions)
{
    for (const bool bias : {false, true}) {
        const FoldedGraph folded = foldBatchNorms(twoConvolutions({.bias = bias})).value();
        EXPECT_THAT(operations(folded.graph), ElementsAre("qs::conv2d", "qs::conv2d"));
        for (const Node& node : folded.graph.nodes)
            EXPECT_EQ(folded.graph.value(node.tensor("bias")).name, node.module + ".norm.bias");
        EXPECT_EQ(folded.graph.value(folded.graph.outputs.front()).name, "y");
        EXPECT_EQ(folded.graph.findValue("a.norm.mean"), -1) << "read no more";
        ASSERT_EQ(folded.foldings.size(), 2U);
        EXPECT_EQ(folded.foldings[1].weight, "b.weight");
        EXPECT_EQ(folded.foldings[1].bias, "b.norm.bias");
        const Graph& graph = folded.foldings[1].graph;
        EXPECT_EQ(toText(graph.value(graph.outputs[0]).type), "bfloat16[4, 4, 3, 3]");
        EXPECT_EQ(toText(graph.value(graph.outputs[1]).type), "bfloat16[4]");
        EXPECT_EQ(graph.findValue("b.bias") >= 0, bias);
    }
}

TEST(FoldBatchNorms, LeavesWhatIsReadElsewhereOrWasNotAskedFor)
{
    for (const Wish& wish :
         {Wish{.scheme = "int8wo"}, Wish{.readTwice = true}, Wish{.shareShift = true}}) {
        const Graph graph = twoConvolutions(wish);
        const FoldedGraph folded = foldBatchNorms(graph).value();
        EXPECT_EQ(toText(folded.graph), toText(graph));
        EXPECT_THAT(folded.foldings, IsEmpty());
    }
}

TEST(FoldBatchNorms, ResnetHasNoneLeftBehindItsQuantizedConvolutions)
{
    const Model model = openModel("resnet:18/10", "", 1).value().model;
    const auto norms = [&](const char* scheme) {
        const Recipe recipe = makeRecipe(*model.family, {scheme}, "every").value();
        const Sizes sizes = model.family->workload().completed({});
        const Program program = lower(*model.family, {recipe, {1, sizes}, {}}).value();
        const auto names = operations(program.stages[0].graph);
        return std::count(names.begin(), names.end(), "aten::batch_norm");
    };
    EXPECT_EQ(norms("bf16"), 20);
    EXPECT_EQ(norms("int8-static"), 0);
}

}  // namespace
}  // namespace qs::core
