// Products in each of their shapes, by all units: numbers at the ends of their ranges, and what is
// none.

#include "core/graph/builder.h"
#include "tests/engine/product_graphs.h"
#include "tests/gpu/product_shapes.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using core::DType;
using core::ProductUnits;
using tests::isExactly;
using tests::isNear;
using tests::kGateDistance;
using tests::ProductSizes;

class CudaProductRanges : public tests::ProductShapesTest,
                          public testing::WithParamInterface<ProductUnits>
{
protected:
    CudaProductRanges() : ProductShapesTest(GetParam()) {}
};

// k in a few blocks, and in as many that two or four blocks of Hopper share a tile; the last is not
// whole. Between them they are spread in every tile, the largest in pairs as well.
std::vector<ProductSizes> sizesOf(DType type)
{
    const std::int64_t bytes = core::byteSize(type);
    return {{70, 64, 288 / bytes}, {125, 256, 1264 / bytes}};
}

void rowsAreFinite(const at::Tensor& rows)
{
    for (const std::int64_t row :
         {std::int64_t{0}, std::int64_t{4}, std::int64_t{7}, rows.size(0) - 1})
        EXPECT_TRUE(rows[row].isfinite().all().item<bool>()) << row;
}

// The sums of some columns are the largest that a row may have, of others the least.
TEST_P(CudaProductRanges, WholeNumbersOfTheLargestSums)
{
    constexpr std::int64_t kLongest = 131056;  // times 2^14 it is less than 2^31
    std::vector<ProductSizes> all = sizesOf(DType::Int8);
    all.push_back({70, 64, kLongest});
    for (const ProductSizes& sizes : all) {
        SCOPED_TRACE(sizes.k);
        at::Tensor a = at::full({sizes.m, sizes.k}, -128).to(at::kChar);
        at::Tensor w = at::full({sizes.n, sizes.k}, -128).to(at::kChar);
        a.slice(0, 1, sizes.m, 3).fill_(127);
        w.slice(0, 1, sizes.n, 2).fill_(127);
        a[sizes.m - 1] = tests::codes(1, sizes.k)[0];
        inEachShape(tests::wholeProduct(sizes), {a, w}, isExactly(tests::exactSums(a, w)));
    }
}

// The least numbers times large ones, and sums near the largest.
TEST_P(CudaProductRanges, EndsOfSixteenBits)
{
    for (const ProductSizes& sizes : sizesOf(DType::Float16)) {
        SCOPED_TRACE(sizes.k);
        const at::Tensor least = at::full({1, sizes.m, sizes.k}, 6e-8).to(at::kHalf);
        const at::Tensor large = at::full({sizes.n, sizes.k}, 6e4).to(at::kHalf);
        inEachShape(tests::halfProduct(DType::Float16, sizes, false), {least, large},
                    isNear(tests::exactSums(least, large), 1e-3));
        const at::Tensor huge = at::full({1, sizes.m, sizes.k}, 1e30).to(at::kBFloat16);
        const at::Tensor wide = at::full({sizes.n, sizes.k}, 1e5).to(at::kBFloat16);
        inEachShape(tests::halfProduct(DType::BFloat16, sizes, false), {huge, wide},
                    isNear(tests::exactSums(huge, wide), 4e-3));
    }
}

TEST_P(CudaProductRanges, EndsOfFloat8)
{
    if (!m_chip.multiplies(core::ProductType::Float8))
        GTEST_SKIP() << "no units for float8";
    for (const ProductSizes& sizes : sizesOf(DType::Float8E4M3)) {
        for (const double value : {448.0, 0.002}) {
            SCOPED_TRACE(std::to_string(sizes.k) + " of " + std::to_string(value));
            auto inputs = tests::float8Inputs(sizes);
            inputs[0] = at::full({sizes.m, sizes.k}, value).to(at::kFloat8_e4m3fn);
            inEachShape(tests::float8Gate(sizes), inputs,
                        isNear(tests::float8Result(inputs), kGateDistance));
        }
    }
}

TEST_P(CudaProductRanges, WhatIsNoNumberStaysInItsRow)
{
    for (const DType type : {DType::BFloat16, DType::Float16}) {
        for (const ProductSizes& sizes : sizesOf(type)) {
            SCOPED_TRACE(std::string(core::name(type)) + " " + std::to_string(sizes.k));
            auto inputs = tests::halfInputs(type, sizes);
            inputs[0][0][3][sizes.k - 1] = std::numeric_limits<float>::quiet_NaN();
            inputs[0][0][5][7] = std::numeric_limits<float>::infinity();
            inputs[0][0][6].zero_();
            inEachShape(tests::halfProduct(type, sizes, false), inputs,
                        [](const at::Tensor& found) {
                            const at::Tensor rows = found[0];
                            EXPECT_TRUE(rows[3].isnan().all().item<bool>());
                            EXPECT_FALSE(rows[5].isfinite().any().item<bool>());
                            EXPECT_TRUE((rows[6] == 0).all().item<bool>());
                            rowsAreFinite(rows);
                        });
        }
    }
}

TEST_P(CudaProductRanges, NoNumberAmongFloat8StaysInItsRow)
{
    if (!m_chip.multiplies(core::ProductType::Float8))
        GTEST_SKIP() << "no units for float8";
    for (const ProductSizes& sizes : sizesOf(DType::Float8E4M3)) {
        SCOPED_TRACE(sizes.k);
        auto inputs = tests::float8Inputs(sizes);
        inputs[0].view(at::kByte)[3][sizes.k - 1] = 0x7f;
        inputs[0].view(at::kByte)[6].zero_();
        inEachShape(tests::float8Gate(sizes), inputs, [](const at::Tensor& found) {
            EXPECT_TRUE(found[3].isnan().all().item<bool>());
            EXPECT_TRUE((found[6] == 0).all().item<bool>());
            rowsAreFinite(found);
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Units, CudaProductRanges,
                         testing::Values(ProductUnits::Plain, ProductUnits::Hopper),
                         [](const auto& of) {
                             return of.param == ProductUnits::Plain ? "Plain" : "Hopper";
                         });

}  // namespace
}  // namespace qs::engine
