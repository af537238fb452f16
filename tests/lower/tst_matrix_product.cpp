#include "core/lower/fused/matrix_product.h"

#include "core/graph/builder.h"
#include "core/lower/fused/product_groups.h"
#include "core/lower/fused/product_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kRows = 32;
constexpr std::int64_t kInner = 48;
constexpr std::int64_t kColumns = 64;
constexpr ProductChip kHopperChip{ProductUnits::Hopper, true, 132, 227 * 1024};

// y = (a · bᵀ) · s in bf16, and what a test adds behind it.
class ProductGroups : public testing::Test
{
protected:
    [[nodiscard]] ValueId product(std::int64_t columns = kColumns)
    {
        a = b.input("a", {DType::Int8, {kRows, kInner}});
        w = b.weight("w", {DType::Int8, {columns, kInner}});
        return b.integerMatmul(a, b.matrixTranspose(w));
    }
    [[nodiscard]] ValueId scaled(std::int64_t columns = kColumns)
    {
        const ValueId sums = product(columns);
        const ValueId scale = b.input("s", {DType::Float32, {kRows, 1}});
        return b.cast(b.binary("mul", sums, scale), DType::BFloat16);
    }

    // The number of operations in each group.
    [[nodiscard]] std::vector<std::size_t> sizes(const DeviceDescription& device = hopper())
    {
        graph = b.finish().value();
        std::vector<std::size_t> result;
        const GraphUses uses(graph);
        for (const NodeGroup& group : productGroups(uses, NodeOrder(graph), device))
            result.push_back(group.size());
        return result;
    }
    static const DeviceDescription& hopper() { return commonGpus().front(); }
    static DeviceDescription gpuOf(int major, int minor)
    {
        DeviceDescription device = hopper();
        device.computeMajor = major;
        device.computeMinor = minor;
        return device;
    }

    GraphBuilder b;
    ValueId a = -1;
    ValueId w = -1;
    Graph graph;
};

TEST_F(ProductGroups, TakesScalesBiasAndResidual)
{
    const ValueId bias = b.input("bias", {DType::BFloat16, {kColumns}});
    const ValueId residual = b.input("x", {DType::BFloat16, {kRows, kColumns}});
    b.output(b.binary("add", residual, b.binary("add", scaled(), bias)), "y");
    EXPECT_THAT(sizes(), ElementsAre(5U));
}

TEST_F(ProductGroups, TakesViewsThatKeepTheOrder)
{
    const ValueId residual = b.input("x", {DType::BFloat16, {2, kRows / 2, kColumns}});
    b.output(b.binary("add", residual, b.reshape(scaled(), {2, kRows / 2, kColumns})), "y");
    EXPECT_THAT(sizes(), ElementsAre(5U));
}

TEST_F(ProductGroups, EndsWhereAnotherReads)
{
    const ValueId y = scaled();
    b.output(b.unary("silu", y), "y");
    b.output(b.scalar("mul", y, 2.0), "z");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(ProductGroups, EndsBeforeTheOrderChanges)
{
    b.output(b.unary("silu", b.transpose(scaled(), 0, 1)), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(ProductGroups, EndsWhereItIsNarrowest)
{
    b.output(b.scalar("mul", b.cast(scaled(), DType::Float32), 2.0), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(ProductGroups, EndsBeforeASumOfRows)
{
    b.output(b.mean(scaled(), {-1}), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(ProductGroups, EndsBeforeWhatIsWrittenTo)
{
    const ValueId y = scaled();
    const ValueId written = b.addInPlace(y, b.input("x", {DType::BFloat16, {kRows, kColumns}}));
    b.output(b.unary("silu", written), "y");
    for (const std::size_t size : sizes())
        EXPECT_LT(size, 4U);
}

TEST_F(ProductGroups, OneOfTwoTakesTheirSum)
{
    const ValueId first = scaled();
    const ValueId second = [&] {
        const ValueId weight = b.weight("v", {DType::Int8, {kColumns, kInner}});
        return b.cast(b.integerMatmul(a, b.matrixTranspose(weight)), DType::BFloat16);
    }();
    b.output(b.binary("add", first, second), "y");
    EXPECT_THAT(sizes(), ElementsAre(4U, 2U));
}

TEST_F(ProductGroups, AGateIsMadeOfTwoHalves)
{
    const auto halves = b.chunk(scaled(), 2, -1);
    b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
    EXPECT_THAT(sizes(), ElementsAre(6U));
}

class HalfProducts : public ProductGroups, public testing::WithParamInterface<DType>
{
protected:
    [[nodiscard]] ValueId linear(std::int64_t rows = kRows)
    {
        const ValueId x = b.input("x", {GetParam(), {2, rows / 2, kInner}});
        return b.linear(x, b.weight("w", {GetParam(), {kColumns, kInner}}), -1);
    }
};

TEST_P(HalfProducts, TakeTheirGate)
{
    const auto halves = b.chunk(linear(), 2, -1);
    b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
    EXPECT_THAT(sizes(), ElementsAre(4U));
    Graph group = graph;
    group.inputs.push_back(group.findValue("w"));  // as a region has it
    const auto found = matrixProduct(group, denseInputs(group));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->a.rows, kRows);
    EXPECT_EQ(found->rowBytes(), 2 * kInner);
    EXPECT_EQ(found->halves, 2);
}

// The library multiplies many rows as fast, and what follows is computed with the next rows. With
// few a kernel is tried beside the library's, which has what follows unless its tiles were empty.
TEST_P(HalfProducts, HaveWhatFollowsWithFewRows)
{
    using Sizes = std::vector<std::size_t>;
    for (const auto& [rows, expected] :
         {std::pair(std::int64_t{514}, Sizes{}), std::pair(std::int64_t{512}, Sizes{2}),
          std::pair(std::int64_t{64}, Sizes{2}), std::pair(std::int64_t{62}, Sizes{1})}) {
        b = GraphBuilder();
        const ValueId residual = b.input("r", {GetParam(), {2, rows / 2, kColumns}});
        b.output(b.binary("add", residual, linear(rows)), "y");
        EXPECT_EQ(sizes(), expected) << rows;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, HalfProducts, testing::Values(DType::BFloat16, DType::Float16),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST_F(ProductGroups, HalvesThatAreReadApartStay)
{
    const auto halves = b.chunk(scaled(), 2, -1);
    b.output(b.unary("silu", halves[0]), "y");
    b.output(b.unary("silu", halves[1]), "z");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(ProductGroups, HalvesOfUnevenNeighboursStay)
{
    const auto halves = b.chunk(scaled(40), 2, -1);
    b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(ProductGroups, AreNoneForColumnsThatAreNotWhole)
{
    b.output(product(60), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

// Of an empty batch, whose rows were padded for the product.
TEST_F(ProductGroups, EndBeforeAViewOfNoElements)
{
    b.output(b.slice(product(), 0, 0, 0), "y");
    EXPECT_THAT(sizes(), ElementsAre(1U));
}

TEST_F(ProductGroups, AreNoneOnChipsWithoutTheUnits)
{
    b.output(product(), "y");
    EXPECT_THAT(sizes(gpuOf(7, 5)), IsEmpty());
}

TEST_F(ProductGroups, AreThoseThatTheUnitsMultiply)
{
    a = b.input("a", {DType::Float8E4M3, {kRows, kInner}});
    w = b.weight("w", {DType::Float8E4M3, {kColumns, kInner}});
    b.output(b.scaledMatmul(a, b.matrixTranspose(w), b.input("s", {DType::Float32, {kRows, 1}}),
                            b.input("t", {DType::Float32, {1, kColumns}}), -1, DType::BFloat16,
                            true),
             "y");
    graph = b.finish().value();
    const GraphUses uses(graph);
    const NodeOrder order(graph);
    EXPECT_THAT(productGroups(uses, order, gpuOf(8, 6)), IsEmpty());
    EXPECT_THAT(productGroups(uses, order, gpuOf(8, 9)), testing::SizeIs(1));
    EXPECT_THAT(productGroups(uses, order, hopper(), ProductUnits::Plain), testing::SizeIs(1));
}

TEST_F(ProductGroups, AreTheSameWithPlainUnits)
{
    const auto halves = b.chunk(scaled(), 2, -1);
    b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
    EXPECT_THAT(sizes(gpuOf(8, 0)), ElementsAre(6U));
}

TEST_F(ProductGroups, OperandsAreReadAsTheyLie)
{
    b.output(product(), "y");
    EXPECT_THAT(sizes(), ElementsAre(1U));
    Graph group = graph;
    group.inputs.push_back(w);  // as a region has it
    InputStrides strides{{kInner, 1}, {64, 1}};
    const auto found = matrixProduct(group, strides);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->a.pitch, kInner);
    EXPECT_EQ(found->b.pitch, 64);
    EXPECT_EQ(found->columns(), kColumns);
    // Rows that no box of a tensor map can begin at, and columns in place of rows.
    EXPECT_FALSE(matrixProduct(group, {{kInner + 1, 1}, {64, 1}}));
    EXPECT_FALSE(matrixProduct(group, {{1, kRows}, {64, 1}}));
}

TEST(ProductSource, TakesSmallTilesForFewRows)
{
    const auto tileOf = [](std::int64_t rows) {
        GraphBuilder b;
        const ValueId a = b.input("a", {DType::Int8, {rows, 1024}});
        const ValueId w = b.input("w", {DType::Int8, {1024, 1024}});
        b.output(b.integerMatmul(a, b.matrixTranspose(w)), "y");
        const Graph group = b.finish().value();
        const auto source =
            productSource(group, denseInputs(group), Division::Exact, kHopperChip).value();
        EXPECT_LE(source.shape.sharedBytes, 227 * 1024);
        EXPECT_GE(source.shape.stages, 4);
        return source.shape;
    };
    EXPECT_EQ(tileOf(16384).rows, 128);
    EXPECT_FALSE(tileOf(16384).atOnce());
    EXPECT_EQ(tileOf(256).columns, 64);
    EXPECT_EQ(tileOf(256).tiles, 64);
    EXPECT_EQ(tileOf(256).splits, 2);  // of 132 processors, 64 would have none
    EXPECT_TRUE(tileOf(256).atOnce());
}

TEST(ProductSource, ShapesCoverTheirProduct)
{
    for (const std::int64_t rows : {1, 64, 256, 300, 5000}) {
        for (const std::int64_t k : {16, 128, 1024, 2736}) {
            const MatrixProduct product{0, ProductType::Int8, {0, rows, k}, {1, 2736, k}, k, 1};
            const auto shapes = productShapes(product, kHopperChip);
            ASSERT_FALSE(shapes.empty());
            for (const ProductShape& shape : shapes) {
                EXPECT_GE((shape.tiles * shape.rows) * shape.columns, rows * 2736) << shape.name();
                EXPECT_LE(shape.blocks, kHopperChip.processors);
                EXPECT_LT((shape.splits - 1) * 128, k) << shape.name();
                EXPECT_TRUE(shape.splits == 1 || shape.atOnce()) << shape.name();
                EXPECT_EQ(shape.paired, shape.rows == 128 && shape.atOnce()) << shape.name();
            }
        }
    }
}

}  // namespace
}  // namespace qs::core
