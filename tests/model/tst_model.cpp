#include "core/model/model.h"
#include "core/model/vitok/vitok.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace qs::core {
namespace {

Model demo()
{
    Model model;
    model.family = vitok::makeFamily(vitok::parseVariant("w64_d2_h4-w64_d3_h4/1x8x16").value());
    return model;
}

TEST(Models, CountTheirParameters)
{
    // 64 wide, hidden 176 (int(2.67 · 64) = 170, to the nearest multiple of 16): per block
    // 64 + 2·16 + 4·64² + 3·64·176 + 64.
    const std::int64_t block = 64 + 32 + 4 * 64 * 64 + 3 * 64 * 176 + 64;
    const std::int64_t encoder = 192 * 64 + 64 + 2 * block + 64 * 16 + 16;
    const std::int64_t decoder = 16 * 64 + 64 + 3 * block + 64 * 192 + 192;
    const Model model = demo();
    EXPECT_EQ(model.parameterCount(0), encoder);
    EXPECT_EQ(model.parameterCount(1), decoder);
    EXPECT_EQ(model.parameterCount(), encoder + decoder);
    EXPECT_THROW((void)model.parameterCount(2), std::out_of_range);
}

TEST(Models, AreTrainedWhenTheirWeightsComeFromFiles)
{
    Model model = demo();
    EXPECT_FALSE(model.trained());
    model.weights = StoredWeights{};
    EXPECT_TRUE(model.trained());
}

TEST(Models, WeightSpecsCountElements)
{
    EXPECT_EQ((WeightSpec{"w", {3, 5}, {}}.elementCount()), 15);
    // Larger than 32 bits, as no single weight of 5B is, but a family may come.
    EXPECT_EQ((WeightSpec{"w", {1 << 20, 1 << 20}, {}}.elementCount()), std::int64_t{1} << 40);
}

}  // namespace
}  // namespace qs::core
