#include "core/lower/fused/kernel_source.h"

#include "core/graph/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace qs::core {
namespace {

using testing::ElementsAre;

TEST(KernelSource, RowsThatAreReadAcrossEachOtherAreNoKernel)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 8}});
    const ValueId centred = b.binary("sub", x, b.mean(x, {-1}));
    b.output(b.transpose(b.scalar("mul", centred, 2.0), 0, 1), "y");
    const Graph graph = b.finish().value();
    EXPECT_FALSE(kernelSource(graph, denseInputs(graph), Division::Exact).ok());
}

TEST(KernelSource, ResultsOfSeveralSizesAreNoKernel)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 8}});
    const ValueId y = b.input("y", {DType::Float32, {4, 4}});
    b.output(b.scalar("mul", b.unary("silu", x), 2.0), "a");
    b.output(b.scalar("mul", b.unary("silu", y), 2.0), "b");
    const Graph graph = b.finish().value();
    EXPECT_FALSE(kernelSource(graph, denseInputs(graph), Division::Exact).ok());
}

// A scale beside what it was used for.
TEST(KernelSource, OneNumberMayBeAResultBesideManyElements)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 8}});
    const ValueId scale = b.scalar("mul", b.input("s", {DType::Float32, {}}), 2.0);
    b.output(b.binary("mul", x, scale), "y");
    b.output(scale, "scale");
    const Graph graph = b.finish().value();
    EXPECT_TRUE(kernelSource(graph, denseInputs(graph), Division::Exact).ok());
}

// As a scale of a whole tensor is, of one row.
TEST(KernelSource, OneNumberWithoutAxesMayBeAllOfARow)
{
    GraphBuilder b;
    const ValueId largest = b.maximum(b.input("x", {DType::BFloat16, {1}}), {-1});
    b.output(b.scalar("div", b.reshape(largest, {}), 448.0), "scale");
    const Graph graph = b.finish().value();
    const auto source = kernelSource(graph, denseInputs(graph), Division::Exact);
    ASSERT_TRUE(source.ok());
    EXPECT_THAT(source.value().pitches, ElementsAre(1));
}

// Products read rows of codes that begin at multiples of 128 bytes.
TEST(KernelSource, RowsOfCodesLieApart)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 208}});
    b.output(b.cast(b.unary("round", b.scalar("mul", x, 2.0)), DType::Int8), "y");
    const Graph graph = b.finish().value();
    const auto source = kernelSource(graph, denseInputs(graph), Division::Exact).value();
    EXPECT_THAT(source.pitches, ElementsAre(256));
}

Graph scaledRows(std::int64_t count, std::int64_t length)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {count, length}});
    b.output(b.binary("div", x, b.absoluteMaximum(x, {-1})), "y");
    return b.finish().value();
}

// Many long rows are tried with fewer threads each, which have all of it.
TEST(KernelSource, ManyLongRowsHaveSeveralShapes)
{
    const auto shapes = [](std::int64_t count, std::int64_t length) {
        const Graph graph = scaledRows(count, length);
        std::vector<std::string> names;
        const auto sources = kernelSources(graph, denseInputs(graph), Division::Exact);
        for (const KernelSource& each : sources.value()) {
            names.push_back(each.shape.name());
            const KernelShape& shape = each.shape;
            EXPECT_GE(std::int64_t{shape.threads} * shape.width * shape.chunks, length);
            EXPECT_GE(shape.blocks * shape.rowsPerBlock, count);
        }
        return names;
    };
    EXPECT_THAT(shapes(8192, 768), ElementsAre("t96", "t64", "t32_r8"));
    EXPECT_THAT(shapes(8192, 2048), ElementsAre("t256", "t128", "t64"));
    EXPECT_THAT(shapes(8192, 5504), ElementsAre("t704", "t352", "t192"));
    EXPECT_THAT(shapes(8192, 128), ElementsAre("t16_r16"));
    EXPECT_THAT(shapes(256, 2048), ElementsAre("t256"));
}

TEST(KernelSource, OnlyTurnedHalvesThatAreJoinedAreRope)
{
    GraphBuilder turned;
    const ValueId x = turned.input("x", {DType::BFloat16, {4, 8}});
    const ValueId half = turned.unary("neg", turned.slice(x, 1, 4, 8));
    turned.output(turned.concatenate({half, turned.slice(x, 1, 0, 4)}, 1), "y");
    EXPECT_EQ(namedAfter(turned.finish().value(), "qs"), "qs_rope");
    GraphBuilder scales;
    const ValueId whole = scales.input("scale", {DType::BFloat16, {4, 2}});
    const ValueId tail = scales.input("tail", {DType::BFloat16, {4, 1}});
    scales.output(scales.concatenate({whole, tail}, 1), "y");
    EXPECT_EQ(namedAfter(scales.finish().value(), "qs"), "qs");
}

}  // namespace
}  // namespace qs::core
