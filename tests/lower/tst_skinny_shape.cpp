#include "core/lower/fused/skinny_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::IsEmpty;
using testing::Not;

constexpr int kProcessors = 132;
constexpr int kNibbles = 32;  // columns of k at once

SkinnyProduct product(std::int64_t m, std::int64_t k, std::int64_t n)
{
    SkinnyProduct skinny;
    skinny.product.type = ProductType::BFloat16;
    skinny.product.a.rows = m;
    skinny.product.b.rows = n;
    skinny.product.k = k;
    return skinny;
}

std::vector<SkinnyShape> shapes(const SkinnyProduct& of, bool hasClusters = true)
{
    return skinnyShapes(of, kNibbles, kProcessors, hasClusters);
}

// Without those whose blocks have one item each.
std::vector<SkinnyShape> lasting(const SkinnyProduct& of, bool hasClusters = true)
{
    auto found = shapes(of, hasClusters);
    std::erase_if(found, [](const SkinnyShape& each) { return each.name().front() == 'k'; });
    return found;
}

const SkinnyProduct kProducts[] = {product(1, 4096, 12288), product(16, 4096, 12288),
                                   product(1, 8192, 2048),  product(16, 11008, 512),
                                   product(3, 64, 8),       product(1, 4096, 32000)};

TEST(SkinnyShapes, AreFewAndDifferent)
{
    for (const SkinnyProduct& each : kProducts) {
        for (const bool hasClusters : {false, true}) {
            const auto found = shapes(each, hasClusters);
            EXPECT_THAT(found, Not(IsEmpty()));
            EXPECT_LE(found.size(), 6U);
            std::set<std::string> names;
            for (const SkinnyShape& shape : found)
                names.insert(shape.name());
            EXPECT_EQ(names.size(), found.size());
        }
    }
}

TEST(SkinnyShapes, FitAProcessor)
{
    constexpr std::int64_t kShared = 227 * 1024;
    constexpr int kThreads = 2048 / 4;  // with 128 registers
    for (const SkinnyProduct& each : kProducts) {
        for (const SkinnyShape& shape : lasting(each)) {
            EXPECT_LE(std::int64_t{shape.sharedBytes} * shape.resident, kShared);
            EXPECT_LE(shape.warps() * 32 * shape.resident, kThreads);
            EXPECT_LE(shape.blocks(), std::int64_t{kProcessors} * shape.resident);
            EXPECT_EQ(shape.blocks() % shape.splits, 0);
        }
    }
}

TEST(SkinnyShapes, ShareKOnlyWhereThereAreClusters)
{
    for (const SkinnyProduct& each : kProducts)
        EXPECT_THAT(shapes(each, false), Each(Field(&SkinnyShape::splits, 1)));
    const auto found = shapes(product(1, 8192, 2048));
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const SkinnyShape& shape) {
        return shape.splits > 1;
    })) << "128 pieces of 16 rows are too few for all processors";
}

// 16 rows of 11,008 numbers are more than a processor has; a part of them is not.
TEST(SkinnyShapes, ReadTheFirstOperandWhereItIsIfItDoesNotFit)
{
    EXPECT_THAT(lasting(product(16, 11008, 512), false), Each(Field(&SkinnyShape::staged, false)));
    EXPECT_THAT(lasting(product(16, 11008, 512)), Each(Field(&SkinnyShape::staged, true)));
    EXPECT_THAT(lasting(product(1, 11008, 512), false),
                Contains(Field(&SkinnyShape::staged, true)));
}

TEST(SkinnyShapes, AreTriedWithOneItemForEachBlock)
{
    const auto found = shapes(product(1, 4096, 12288));
    const auto once = std::count_if(found.begin(), found.end(), [](const SkinnyShape& shape) {
        return shape.blocks() == 12288 / 16 && !shape.staged;
    });
    EXPECT_EQ(once, 3);
}

}  // namespace
}  // namespace qs::core
