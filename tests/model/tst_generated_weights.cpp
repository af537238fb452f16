#include "core/base/json.h"
#include "core/model/generated_weights.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>

namespace qs::core {
namespace {

std::vector<float> generated(std::uint64_t key, std::uint64_t first, std::size_t count,
                             double scale = 1.0)
{
    std::vector<float> values(count);
    generate(key, generatorFactor(scale), first, values);
    return values;
}

// The golden file comes from a Python implementation of the note; the bits must be the same.
TEST(GeneratedWeights, AgreeWithTheIndependentImplementation)
{
    const auto golden =
        readJsonFile(tests::dataFile("golden/generated_weights") / "generated_weights.json");
    ASSERT_TRUE(golden.ok()) << golden.error().message;
    const Json& cases = golden.value().at("cases");
    ASSERT_EQ(cases.size(), 5U);
    for (const Json& each : cases) {
        const auto name = each.at("name").get<std::string>();
        const auto hex = each.at("key").get<std::string>();
        std::uint64_t key = 0;
        std::from_chars(hex.data(), hex.data() + hex.size(), key, 16);
        EXPECT_EQ(generatorKey(each.at("seed").get<std::int64_t>(), name), key) << name;
        const double scale = each.at("scale").get<double>();
        EXPECT_EQ(std::bit_cast<std::uint32_t>(generatorFactor(scale)),
                  each.at("factor_bits").get<std::uint32_t>());
        const auto bits = each.at("bits").get<std::vector<std::uint32_t>>();
        const auto values =
            generated(key, each.at("first").get<std::uint64_t>(), bits.size(), scale);
        for (std::size_t i = 0; i < bits.size(); ++i)
            EXPECT_EQ(std::bit_cast<std::uint32_t>(values[i]), bits[i]) << name << " at " << i;
    }
}

TEST(GeneratedWeights, AnySliceIsTheSame)
{
    const std::uint64_t key = generatorKey(42, "decoder/to_pixels.weight");
    const std::vector<float> whole = generated(key, 0, 1000);
    for (const std::size_t pieceSize : {1U, 7U, 333U, 999U}) {
        std::vector<float> pieces(whole.size());
        // From the back, so that nothing can depend on what came before.
        for (std::size_t first = (whole.size() - 1) / pieceSize * pieceSize;; first -= pieceSize) {
            const std::size_t count = std::min(pieceSize, whole.size() - first);
            generate(key, generatorFactor(1.0), first, std::span(pieces).subspan(first, count));
            if (first == 0)
                break;
        }
        EXPECT_EQ(pieces, whole) << "pieces of " << pieceSize;
    }
}

TEST(GeneratedWeights, NothingIsWrittenForAnEmptySlice)
{
    EXPECT_TRUE(generated(1, 5, 0).empty());
}

TEST(GeneratedWeights, KeysDependOnSeedAndName)
{
    std::set<std::uint64_t> keys;
    for (const std::int64_t seed : {-1, 0, 1, 42, 43})
        for (const char* name : {"", "a", "b", "ab", "ba", "a.weight", "b.weight"})
            keys.insert(generatorKey(seed, name));
    EXPECT_EQ(keys.size(), 35U);
}

// Five standard errors of each moment over n values of the sum of four uniform lanes.
TEST(GeneratedWeights, AreNearlyNormal)
{
    constexpr std::size_t kCount = 1'000'000;
    constexpr double kScale = 0.02;
    const auto values = generated(generatorKey(42, "w"), 0, kCount, kScale);
    double sums[4] = {};
    double largest = 0.0;
    for (const float value : values) {
        const double z = static_cast<double>(value) / kScale;
        sums[0] += z;
        sums[1] += z * z;
        sums[2] += z * z * z;
        sums[3] += z * z * z * z;
        largest = std::max(largest, std::abs(z));
    }
    const double n = static_cast<double>(kCount);
    EXPECT_NEAR(sums[0] / n, 0.0, 5.0 * 1.0 / std::sqrt(n));
    EXPECT_NEAR(sums[1] / n, 1.0, 5.0 * std::sqrt(1.7 / n)) << "variance of z² is 2.7 - 1";
    EXPECT_NEAR(sums[2] / n, 0.0, 5.0 * std::sqrt(11.5 / n)) << "E z⁶ is about 11.5";
    EXPECT_NEAR(sums[3] / n, 2.7, 0.03);
    EXPECT_LT(largest, 3.5);
    EXPECT_GT(largest, 3.0);
}

TEST(GeneratedWeights, NeighboursAndTensorsAreUncorrelated)
{
    constexpr std::size_t kCount = 200'000;
    const auto a = generated(generatorKey(42, "a"), 0, kCount + 1);
    const auto b = generated(generatorKey(42, "b"), 0, kCount);
    double neighbours = 0.0;
    double tensors = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
        neighbours += static_cast<double>(a[i]) * static_cast<double>(a[i + 1]);
        tensors += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    const double n = static_cast<double>(kCount);
    EXPECT_NEAR(neighbours / n, 0.0, 5.0 / std::sqrt(n));
    EXPECT_NEAR(tensors / n, 0.0, 5.0 / std::sqrt(n));
}

}  // namespace
}  // namespace qs::core
