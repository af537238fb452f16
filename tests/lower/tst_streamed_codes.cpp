#include "core/lower/fused/streamed_codes.h"

#include "core/graph/builder.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/skinny_shape.h"
#include "tests/support/scheme_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace qs::core {
namespace {

using testing::Each;
using testing::Field;

constexpr int kChip = 132;  // processors

struct StreamedLayer {
    Graph graph;
    SkinnyProduct skinny;
    std::optional<StreamedCodes> codes;
};

StreamedLayer layerOf(const Graph& graph)
{
    StreamedLayer layer{graph, *skinnyProduct(graph, denseInputs(graph)), {}};
    layer.codes = streamedCodes(graph, denseInputs(graph), layer.skinny);
    return layer;
}

StreamedLayer layerOf(const std::string& scheme, std::int64_t rows, std::int64_t in,
                      std::int64_t out)
{
    const StageProgram program =
        tests::layerStage(parseScheme(scheme).value(), {rows, in}, out, false);
    return layerOf(fusedStage(program, commonGpus().front()).value().programs.at(0).graph);
}

TEST(StreamedCodes, HaveOneScaleAllAlongASpan)
{
    const auto nibbles = layerOf("int4wo-128", 1, 4096, 64).codes;
    ASSERT_TRUE(nibbles);
    EXPECT_EQ(nibbles->span(), 128);
    EXPECT_EQ(nibbles->pitch, 2048);
    EXPECT_EQ(nibbles->operandPitch, 32);
    EXPECT_EQ(nibbles->group, 128);
    EXPECT_EQ(nibbles->operands(), 2U) << "scale and zero";
    EXPECT_EQ(nibbles->step(), 2);
    const auto wide = layerOf("int4wo-256", 1, 4096, 64).codes;
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->step(), 4) << "two groups";
    const auto bytes = layerOf("int8wo", 1, 4096, 64).codes;
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->span(), 64);
    EXPECT_EQ(bytes->group, 0) << "the whole row";
    const auto floats = layerOf("float8wo", 1, 4096, 64).codes;
    ASSERT_TRUE(floats);
    EXPECT_EQ(floats->chain.kind, CodeKind::Float8);
    EXPECT_EQ(floats->span(), 64);
    EXPECT_EQ(floats->group, 0);
}

TEST(StreamedCodes, AreNoneWithSmallerGroupsOrOtherCodes)
{
    EXPECT_FALSE(layerOf("int4wo-64", 1, 4096, 64).codes);
    // Nine scales in a row: every other row would begin within a word.
    EXPECT_FALSE(layerOf("int4wo-128", 1, 1152, 64).codes);
    EXPECT_TRUE(layerOf("int4wo-128", 1, 1280, 64).codes);
}

TEST(StreamedCodes, CopyAsManyScalesAtOnceAsLieTogether)
{
    const auto codes = layerOf("int4wo-128", 1, 4096, 64).codes;
    EXPECT_EQ(codes->operandBytes(8), 16);
    EXPECT_EQ(codes->operandBytes(4), 8);
    EXPECT_EQ(codes->operandBytes(2), 4);
    EXPECT_EQ(codes->operandBytes(12), 8) << "every copy of a warp begins at a multiple of it";
    EXPECT_EQ(layerOf("int4wo-128", 1, 1280, 64).codes->operandBytes(8), 4) << "10 in a row";
}

// Codes w {8, 64} of bytes, times x, with what a test makes of them.
class StreamedWeights : public testing::Test
{
protected:
    [[nodiscard]] bool isStreamed(ValueId weight)
    {
        const ValueId x = b.input("x", {DType::BFloat16, {1, 64}});
        b.output(b.linear(x, weight), "y");
        return layerOf(b.finish().value()).codes.has_value();
    }

    GraphBuilder b;
    ValueId codes = b.cast(b.input("codes", {DType::Int8, {8, 64}}), DType::BFloat16);
    ValueId ofRows = b.input("s", {DType::BFloat16, {8, 1}});
};

TEST_F(StreamedWeights, AreScaledAndAddedToByRow)
{
    EXPECT_TRUE(isStreamed(b.binary("add", b.binary("mul", codes, ofRows), ofRows)));
}

TEST_F(StreamedWeights, HaveNoMoreThanTwoOperands)
{
    const ValueId once = b.binary("add", b.binary("mul", codes, ofRows), ofRows);
    EXPECT_FALSE(isStreamed(b.binary("mul", once, ofRows)));
}

TEST_F(StreamedWeights, HaveNoScaleForEachColumn)
{
    const ValueId ofColumns = b.input("c", {DType::BFloat16, {64}});
    EXPECT_FALSE(isStreamed(b.binary("mul", codes, ofColumns)));
}

const StreamedLayer& streamedLayer(std::size_t i)
{
    static const StreamedLayer kLayers[] = {
        layerOf("int4wo-128", 1, 4096, 12288), layerOf("int4wo-128", 16, 4096, 12288),
        layerOf("int4wo-128", 1, 8192, 2048),  layerOf("int8wo", 8, 4096, 14336),
        layerOf("int8wo", 1, 16, 8),           layerOf("int4wo-128", 1, 11008, 4096)};
    return kLayers[i];
}

TEST(StreamedShapes, AreFewDifferentAndFit)
{
    for (std::size_t i = 0; i < 6; ++i) {
        const StreamedLayer& layer = streamedLayer(i);
        for (const bool hasClusters : {false, true}) {
            const auto found = streamedShapes(layer.skinny, *layer.codes, kChip, hasClusters);
            // Eight rows of 4096 numbers do not fit in what architectures without clusters have.
            EXPECT_EQ(found.empty(), (i == 1 || i == 3) && !hasClusters) << i;
            EXPECT_LE(found.size(), 6U);
            std::set<std::string> names;
            for (const SkinnyShape& shape : found) {
                names.insert(shape.name());
                EXPECT_GE(shape.stages, 2);
                EXPECT_LE(shape.sharedBytes, (hasClusters ? 224 : 96) * 1024);
                EXPECT_LE(shape.blocks(), kChip);
                EXPECT_EQ(shape.trips % layer.codes->step(), 0);
                EXPECT_GE(shape.trips * shape.kWarps * shape.splits * layer.codes->span(),
                          layer.skinny.product.k);
            }
            EXPECT_EQ(names.size(), found.size());
        }
        EXPECT_THAT(streamedShapes(layer.skinny, *layer.codes, kChip, false),
                    Each(Field(&SkinnyShape::splits, 1)));
    }
}

// Of 768 pieces of 16 rows a processor has six at most: two at a time are three rounds.
TEST(StreamedShapes, FillTheProcessors)
{
    const StreamedLayer& layer = streamedLayer(0);
    const SkinnyShape best = streamedShapes(layer.skinny, *layer.codes, kChip, true).front();
    const std::int64_t rounds = (768 / best.rowWarps + best.clusters - 1) / best.clusters;
    EXPECT_LE(rounds * best.rowWarps, 6 * best.splits);
    EXPECT_EQ(best.warps(), 16);
}

}  // namespace
}  // namespace qs::core
