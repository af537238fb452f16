#include "core/lower/fused/product_units.h"

#include "core/graph/builder.h"
#include "core/lower/fused/product_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr ProductType kTypes[] = {ProductType::Int8, ProductType::Float8, ProductType::BFloat16,
                                  ProductType::Float16};

DeviceDescription gpuOf(int major, int minor)
{
    DeviceDescription device = commonGpus().front();
    device.computeMajor = major;
    device.computeMinor = minor;
    return device;
}

TEST(ProductUnits, AreThoseOfTheDevice)
{
    struct Expected {
        int major;
        int minor;
        ProductUnits units;
        bool float8;
    };
    for (const Expected& of : {Expected{7, 5, ProductUnits::None, false},
                               {8, 0, ProductUnits::Plain, false},
                               {8, 6, ProductUnits::Plain, false},
                               {8, 9, ProductUnits::Plain, true},
                               {9, 0, ProductUnits::Hopper, true},
                               {10, 0, ProductUnits::None, false},
                               {12, 0, ProductUnits::None, false}}) {
        const ProductChip chip = productChip(gpuOf(of.major, of.minor));
        EXPECT_EQ(chip.units, of.units) << of.major << "." << of.minor;
        EXPECT_EQ(chip.multiplies(ProductType::Int8), of.units != ProductUnits::None);
        EXPECT_EQ(chip.multiplies(ProductType::Float8), of.float8) << of.major << "." << of.minor;
    }
    EXPECT_EQ(productChip(describeCpu()).units, ProductUnits::None);
}

TEST(ProductUnits, AreNoBetterThanAModeAllows)
{
    const ProductUnits most = mostUnits(parseCompileMode("fused:units=plain").value());
    EXPECT_EQ(productChip(gpuOf(9, 0), most).units, ProductUnits::Plain);
    EXPECT_EQ(productChip(gpuOf(8, 0), most).units, ProductUnits::Plain);
    EXPECT_EQ(productChip(gpuOf(7, 5), most).units, ProductUnits::None);
    for (const char* mode : {"fused", "fused:units=best", "none", "inductor-default"})
        EXPECT_EQ(mostUnits(parseCompileMode(mode).value()), ProductUnits::Hopper) << mode;
}

std::vector<MatrixProduct> productsOf(ProductType type)
{
    std::vector<MatrixProduct> products;
    for (const int halves : {1, 2}) {
        for (const std::int64_t rows : {1, 7, 64, 256, 5000}) {
            for (const std::int64_t k : {16, 1024, 2736})
                products.push_back({0, type, {0, rows, k}, {1, halves * 1368, k}, k, halves});
        }
    }
    return products;
}

TEST(PlainShapes, FitTheirChipsAndCoverTheirProducts)
{
    for (const auto& [minor, sharedBytes] :
         {std::pair(0, 163 * 1024), {6, 99 * 1024}, {9, 99 * 1024}}) {
        const ProductChip chip = productChip(gpuOf(8, minor));
        EXPECT_EQ(chip.sharedBytes, sharedBytes);
        for (const ProductType type : kTypes) {
            for (const MatrixProduct& product : productsOf(type)) {
                const auto shapes = productShapes(product, chip);
                ASSERT_FALSE(shapes.empty());
                for (const ProductShape& shape : shapes) {
                    EXPECT_EQ(shape.units, ProductUnits::Plain);
                    EXPECT_LE(shape.resident * (shape.sharedBytes + 1024), chip.sharedBytes + 1024)
                        << shape.name();
                    EXPECT_GE(shape.stages, 3) << shape.name();
                    EXPECT_EQ(shape.blocks, shape.tiles);
                    EXPECT_GE(shape.tiles * shape.rows * shape.columns,
                              product.a.rows * product.b.rows)
                        << shape.name();
                }
            }
        }
    }
}

// On one processor a block computes all tiles; with many, blocks share them.
TEST(ProductShapes, AreThereWhateverTimeTheyTake)
{
    const MatrixProduct product{0, ProductType::Float16, {0, 130, 392}, {1, 136, 392}, 392};
    for (const ProductUnits units : {ProductUnits::Plain, ProductUnits::Hopper}) {
        std::set<std::string> names;
        for (const int processors : {1, 132}) {
            const ProductChip chip{units, true, processors, 227 * 1024};
            std::set<std::string> here;
            for (const ExpectedShape& each : expectedShapes(product, chip))
                here.insert(each.shape.name());
            for (const ProductShape& shape : productShapes(product, chip))
                EXPECT_EQ(here.count(shape.name()), 1U) << shape.name();
            names.insert(here.begin(), here.end());
        }
        EXPECT_EQ(names.size(), units == ProductUnits::Plain ? 4U : 15U) << "tiles and splits";
    }
}

TEST(PlainShapes, AreSmallForFewTiles)
{
    const ProductChip chip = productChip(gpuOf(8, 0));
    const auto first = [&](std::int64_t rows) {
        return productShapes({0, ProductType::Int8, {0, rows, 1024}, {1, 1024, 1024}, 1024}, chip)
            .front();
    };
    EXPECT_EQ(first(16384).rows, 128);
    EXPECT_EQ(first(16384).columns, 128);
    EXPECT_EQ(first(1).rows, 32);
}

std::string textFor(DType type, ProductUnits units)
{
    GraphBuilder b;
    const ValueId a = b.input("a", {type, {64, 256}});
    const ValueId w = b.input("w", {type, {128, 256}});
    if (type == DType::Int8)
        b.output(b.integerMatmul(a, b.matrixTranspose(w)), "y");
    else if (type == DType::Float8E4M3)
        b.output(b.scaledMatmul(a, b.matrixTranspose(w), b.input("s", {DType::Float32, {64, 1}}),
                                b.input("t", {DType::Float32, {1, 128}}), -1, DType::BFloat16,
                                true),
                 "y");
    else
        b.output(b.linear(a, w), "y");
    const Graph group = b.finish().value();
    return productSource(group, denseInputs(group), Division::ByReciprocal,
                         productChip(gpuOf(9, 0), units))
        .value()
        .text;
}

TEST(PlainText, HasTheInstructionOfItsTypeAndNoneOfHopper)
{
    for (const auto& [type, instruction] : {std::pair(DType::Int8, "qs_multiply_s8"),
                                            {DType::Float8E4M3, "qs_multiply_e4m3"},
                                            {DType::BFloat16, "qs_multiply_bf16"},
                                            {DType::Float16, "qs_multiply_f16"}}) {
        const std::string plain = textFor(type, ProductUnits::Plain);
        EXPECT_THAT(plain, HasSubstr(std::string("#define QS_MULTIPLY ") + instruction + "\n"));
        EXPECT_THAT(plain, Not(HasSubstr("wgmma")));
        EXPECT_THAT(plain, Not(HasSubstr("tensor_map")));
        EXPECT_THAT(textFor(type, ProductUnits::Hopper), HasSubstr("wgmma"));
    }
}

// What follows the sums is the same text.
TEST(PlainText, FinishesAsHoppersDoes)
{
    const Graph group = [] {
        GraphBuilder b;
        const ValueId a = b.input("a", {DType::Int8, {64, 256}});
        const ValueId w = b.input("w", {DType::Int8, {128, 256}});
        const ValueId s = b.input("s", {DType::Float32, {64, 1}});
        b.output(
            b.cast(b.binary("mul", b.integerMatmul(a, b.matrixTranspose(w)), s), DType::BFloat16),
            "y");
        return b.finish().value();
    }();
    const auto source = [&](ProductUnits units) {
        return productSource(group, denseInputs(group), Division::ByReciprocal,
                             productChip(gpuOf(9, 0), units))
            .value();
    };
    const ProductSource plain = source(ProductUnits::Plain);
    const ProductSource hopper = source(ProductUnits::Hopper);
    EXPECT_EQ(plain.finish, hopper.finish);
    EXPECT_THAT(plain.text, HasSubstr(plain.finish));
    EXPECT_THAT(plain.name, HasSubstr("plain"));
}

}  // namespace
}  // namespace qs::core
