#include "core/model/layers.h"

#include "core/graph/layer_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;

constexpr DType kF32 = DType::Float32;

// A stem convolution, a linear layer that runs twice, a head that is tied to an embedding, and a
// product that multiplies by no weight.
Graph network()
{
    GraphBuilder b;
    const ValueId image = b.input("image", {kF32, {1, 3, 8, 8}});
    ValueId x = -1;
    {
        const ModuleScope scope(b, "stem");
        x = conv2d(b, image, b.weight("stem.weight", {kF32, {16, 3, 4, 4}}),
                   b.weight("stem.bias", {kF32, {16}}), {.stride = 4});
    }
    x = b.view(x, {4, 16});
    const ValueId shared = b.weight("mix.weight", {kF32, {16, 16}});
    for (int i = 0; i < 2; ++i) {
        const ModuleScope scope(b, "mix");
        x = b.linear(x, shared);
    }
    const ValueId table = b.weight("table.weight", {kF32, {10, 16}});
    const ValueId index = b.input("index", {DType::Int64, {4}});
    {
        const ModuleScope scope(b, "table");
        x = b.binary("add", x, embedding(b, table, index));
    }
    x = matmul(b, x, b.transpose(x, 0, 1));
    x = matmul(b, x, b.weight("other.weight", {kF32, {4, 16}}));
    const ModuleScope scope(b, "head");
    b.output(b.linear(x, table), "y");
    return b.finish().value();
}

TEST(Layers, AreTheNodesThatMultiplyByAWeight)
{
    const std::vector<LayerSpec> layers = findLayers(network());
    ASSERT_EQ(layers.size(), 3U);
    EXPECT_EQ(layers[0].module, "stem");
    EXPECT_EQ(layers[0].kind, LayerKind::Convolution);
    EXPECT_THAT(layers[0].weightShape, ElementsAre(16, 3, 4, 4));
    EXPECT_EQ(layers[0].outFeatures, 16);
    EXPECT_EQ(layers[0].inFeatures, 3 * 4 * 4);
    EXPECT_EQ(layers[0].bias, "stem.bias");
    EXPECT_EQ(layers[1].weight, "mix.weight");
    EXPECT_EQ(layers[1].calls, 2);
    EXPECT_EQ(layers[1].bias, "");
    EXPECT_FALSE(layers[1].readElsewhere);
    EXPECT_EQ(layers[2].module, "head");
    EXPECT_EQ(layers[2].kind, LayerKind::Linear);
    EXPECT_EQ(layers[2].calls, 1) << "the embedding is none";
    EXPECT_TRUE(layers[2].readElsewhere);
}

}  // namespace
}  // namespace qs::core
