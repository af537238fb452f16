// Where elements lie behind views, as kernels compute it.

#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/pack.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

TEST(Coordinates, ReshapingThereAndBackIsNothing)
{
    const Coordinates at{rowAt("r", 6), placeAt("i", 64)};
    const Coordinates apart = reshaped(at, {6, 64}, {2, 3, 4, 16});
    EXPECT_EQ(toText(apart), "(r / 3),(r % 3),(i / 16),(i % 16),");
    EXPECT_EQ(toText(reshaped(apart, {2, 3, 4, 16}, {6, 64})), "r,i,");
}

TEST(Coordinates, WhatIsTakenApartAgainIsFound)
{
    const Coordinates pairs = reshaped({placeAt("i", 64)}, {64}, {32, 2});
    EXPECT_EQ(toText(pairs), "(i / 2),(i % 2),");
    const Coordinate first = linear({pairs[0], numberAt(1)}, {2, 1});
    EXPECT_EQ(first.code(), "((i / 2) * 2 + 1)");
    EXPECT_EQ(over(first, 2).code(), "(i / 2)");
    EXPECT_EQ(modulo(first, 2).code(), "1");
}

// A row is two of sixteen channels of 6 x 7 pixels.
TEST(Coordinates, ARowOfSeveralChannelsIsFoundBehindThem)
{
    const std::vector<std::int64_t> rows{4, 8, 84};
    const std::vector<std::int64_t> images{4, 16, 6, 7};
    const Coordinates at = reshaped({rowAt("r", 32), placeAt("i", 84)}, {32, 84}, images);
    EXPECT_EQ(toText(at), "(r / 8),((r % 8) * 2 + (i / 42)),((i / 7) % 6),(i % 7),");
    EXPECT_EQ(toText(reshaped(at, images, rows)), "(r / 8),(r % 8),i,");
    // Three channels of sixteen are no row: nothing more is known.
    EXPECT_EQ(modulo(linear({rowAt("r", 32), placeAt("i", 3)}, {3, 1}), 16).code(),
              "((r * 3 + i) % 16)");
}

TEST(Coordinates, AxesOfOneAreNumbers)
{
    const Coordinates at = reshaped({rowAt("r", 5)}, {5}, {1, 5, 1});
    EXPECT_EQ(toText(at), "0,r,0,");
    EXPECT_EQ(toText(broadcast({rowAt("r", 5), placeAt("i", 7)}, {7})), "i,");
    EXPECT_EQ(toText(broadcast({rowAt("r", 5), placeAt("i", 7)}, {5, 1})), "r,0,");
}

TEST(Pack, NeighboursAreReadAtOnce)
{
    const Coordinate row = rowAt("r", 5);
    const Coordinate i = placeAt("i", 64);
    const auto pack = packOf(linear({row, i}, {64, 1}), 8);
    ASSERT_TRUE(pack);
    EXPECT_EQ(pack->place, "j / 1 * 1");
}

TEST(Pack, PairsLieWithinTheirNeighbours)
{
    const Coordinate half = over(placeAt("i", 64), 2);
    const auto second = packOf(linear({half, numberAt(1)}, {2, 1}), 8);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->begin.number, 0);
    EXPECT_EQ(second->place, "j / 2 * 2 + 1");
}

TEST(Pack, WhatBeginsInBetweenIsReadOneByOne)
{
    const Coordinate row = rowAt("r", 5);
    const Coordinate i = placeAt("i", 64);
    EXPECT_FALSE(packOf(linear({row, i}, {66, 1}), 8)) << "rows begin in between";
    EXPECT_FALSE(packOf(linear({row, i}, {1, 5}), 8)) << "columns";
    EXPECT_FALSE(packOf(plus(i, 3), 8)) << "runs over the end of eight";
    EXPECT_FALSE(packOf(linear({row}, {64}), 8)) << "one for all";
    EXPECT_TRUE(packOf(plus(i, 16), 8));
}

}  // namespace
}  // namespace qs::core
